import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { getMe } from '@millrace/contracts/auth/users';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { anyUser } from '@millrace/contracts/kit/access';
import { operation, type AnyOperation } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { events, operations } from '@millrace/contracts/registry';
import { runFinished } from '@millrace/contracts/runs/runs';
import { checkWiring, type FoundHandlers, type Marked } from './check-wiring.js';

const marked = <T>(target: T, where = 'Some.method'): Marked<T> => ({ target, where, call: () => Promise.resolve() });

const HANDLED = operations.filter(({ service }) => service === 'notifications');
const HEARD = events.filter(({ consumers }) => consumers.includes('notifications'));

/** The notifications service as it should be, and what is otherwise. */
const check = (given: { handlers?: AnyOperation[]; listeners?: FoundHandlers['listeners'] }) =>
  checkWiring('notifications', {
    handlers: (given.handlers ?? HANDLED).map((target, index) => marked(target, `Controller.m${index}`)),
    listeners: given.listeners ?? HEARD.map((event) => marked(event)),
    processors: [],
  });

describe('a service', () => {
  it('starts where each of its operations and events has one method', () => {
    expect(() => check({})).not.toThrow();
  });

  it.each<[string, Parameters<typeof check>[0], RegExp]>([
    [
      'lacks a handler',
      { handlers: HANDLED.filter((one) => one !== listNotifications) },
      /notifications\.notifications\.list has no handler: mark a controller's method with @OperationHandler/,
    ],
    [
      'has two for one operation',
      { handlers: [listNotifications, ...HANDLED.filter((one) => one !== listNotifications), listNotifications] },
      /list has 2 handlers \(Controller\.m0, Controller\.m\d+\): keep one/,
    ],
    [
      "handles another service's operation",
      { handlers: [getMe, ...HANDLED] },
      /Controller\.m0 handles auth\.users\.me: move it to apps\/auth/,
    ],
    [
      'handles an operation that is not registered',
      { handlers: [unregistered(), ...HANDLED] },
      /Controller\.m0 handles notifications\.tests\.get, which registry\.ts does not list: add its file/,
    ],
    [
      'does not listen to an event that is meant for it',
      { listeners: [] },
      /nobody listens to runs\.run\.finished: mark a method with @Listens, or take "notifications" out/,
    ],
    [
      'listens twice',
      { listeners: [marked(runFinished, 'A.one'), marked(runFinished, 'B.two')] },
      /runs\.run\.finished has 2 listeners \(A\.one, B\.two\): keep one/,
    ],
    [
      'listens to an event that is not meant for it',
      { listeners: [marked(runFinished), marked(vaultCreated, 'C.three')] },
      /C\.three listens to auth\.vault\.created: add "notifications" to its listeners/,
    ],
  ])('that %s is told how to mend it', (_, given, message) => {
    expect(() => check(given)).toThrow(message);
  });

  it('is told of all mistakes at once', () => {
    expect(() => check({ handlers: [], listeners: [] })).toThrow(/list has no handler[^]*nobody listens/);
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
