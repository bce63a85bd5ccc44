import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { getMe } from '@millrace/contracts/auth/users';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { anyUser } from '@millrace/contracts/kit/access';
import { operation, type AnyOperation } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { events, operations } from '@millrace/contracts/registry';
import { runFinished } from '@millrace/contracts/runs/runs';
import { checkWiring, type DecoratedMethods, type DecoratedMethod } from './check-wiring.js';

const methodOf = <T>(target: T, location = 'Some.method'): DecoratedMethod<T> => ({
  target,
  location,
  call: () => Promise.resolve(),
});

const OWN_OPERATIONS = operations.filter(({ service }) => service === 'notifications');
const CONSUMED_EVENTS = events.filter(({ consumers }) => consumers.includes('notifications'));

/** Checks the notifications service with the given methods instead of the correct ones. */
const check = (methods: { operationHandlers?: AnyOperation[]; eventHandlers?: DecoratedMethods['eventHandlers'] }) =>
  checkWiring('notifications', {
    operationHandlers: (methods.operationHandlers ?? OWN_OPERATIONS).map((target, index) =>
      methodOf(target, `Controller.m${index}`),
    ),
    eventHandlers: methods.eventHandlers ?? CONSUMED_EVENTS.map((event) => methodOf(event)),
    jobProcessors: [],
  });

describe('a service whose wiring is checked', () => {
  it('starts if each of its operations and events has one method', () => {
    expect(() => check({})).not.toThrow();
  });

  it.each<[string, Parameters<typeof check>[0], RegExp]>([
    [
      'lacks a handler',
      { operationHandlers: OWN_OPERATIONS.filter((operation) => operation !== listNotifications) },
      /notifications\.notifications\.list has no handler: mark a controller's method with @OperationHandler/,
    ],
    [
      'has two handlers of an operation',
      {
        operationHandlers: [
          listNotifications,
          ...OWN_OPERATIONS.filter((operation) => operation !== listNotifications),
          listNotifications,
        ],
      },
      /list has 2 handlers \(Controller\.m0, Controller\.m\d+\): keep one/,
    ],
    [
      "handles another service's operation",
      { operationHandlers: [getMe, ...OWN_OPERATIONS] },
      /Controller\.m0 handles auth\.users\.me: move it to apps\/auth/,
    ],
    [
      'handles an operation that is not registered',
      { operationHandlers: [unregistered(), ...OWN_OPERATIONS] },
      /Controller\.m0 handles notifications\.tests\.get, which registry\.ts does not list: add its file/,
    ],
    [
      'lacks a handler of an event that it consumes',
      { eventHandlers: [] },
      /runs\.run\.finished has no handler: mark a method with @EventHandler, or remove "notifications" from its consumers/,
    ],
    [
      'has two handlers of an event',
      { eventHandlers: [methodOf(runFinished, 'A.one'), methodOf(runFinished, 'B.two')] },
      /runs\.run\.finished has 2 handlers \(A\.one, B\.two\): keep one/,
    ],
    [
      'handles an event that it does not consume',
      { eventHandlers: [methodOf(runFinished), methodOf(vaultCreated, 'C.three')] },
      /C\.three handles auth\.vault\.created: add "notifications" to its consumers/,
    ],
  ])('fails with the fix if it %s', (_, methods, message) => {
    expect(() => check(methods)).toThrow(message);
  });

  it('fails with all mistakes at once', () => {
    expect(() => check({ operationHandlers: [], eventHandlers: [] })).toThrow(
      /list has no handler[^]*finished has no handler/,
    );
  });
});

function unregistered(): AnyOperation {
  return operation('notifications.tests.get', {
    method: 'GET',
    path: '/tests',
    summary: 'Not in the registry',
    access: anyUser,
    response: z.null(),
  });
}
