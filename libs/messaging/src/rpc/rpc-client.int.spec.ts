import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { anyUser } from '@millrace/contracts/kit/access';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import { operation, type Input } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { addOperation } from '../testing/add-operation.js';
import { billingServiceOf } from '../testing/billing-service-of.js';
import type { Context } from './context.js';
import { OperationHandler } from './operation-handler.js';

/** An operation for these tests only, registered like those of the contracts. */
const act = operation('billing.tests.act', {
  method: 'POST',
  path: '/tests',
  summary: 'Succeeds or fails as requested',
  access: anyUser,
  body: z.strictObject({ how: z.string() }),
  response: z.object({ user: z.string() }),
});
addOperation(act);

let slow = 0;

@Controller()
class ActController {
  @OperationHandler(act)
  async act({ body }: Input<typeof act>, { caller }: Context) {
    if (body.how === 'slow') {
      slow += 1;
      await sleep(1_000);
    }
    if (body.how === 'missing') throw new NotFoundError('Thing');
    if (body.how === 'detailed') throw new ApiError('version_conflict', 'Not the latest', { latest: 'v3' });
    if (body.how === 'broken') throw new Error('secret of the database');
    if (body.how === 'at length') return { user: 'x'.repeat(33 * 1024 * 1024) };
    if (body.how === 'against the contract') return { user: 7 } as never;
    return { user: caller.user };
  }
}

const billing = billingServiceOf({ controllers: [ActController] });

let system: System;
beforeAll(async () => {
  system = await startApps([billing]);
});
afterAll(() => system.close());

const caller = ownerCaller();
const callAct = (how: string, timeoutMs = 5_000) => system.callAs(caller, act, { body: { how } }, { timeoutMs });

describe('an operation', () => {
  it('is handled with the identity of the caller', async () => {
    await expect(callAct('well')).resolves.toEqual({ user: caller.user });
  });

  it('returns the code, message and details of its error', async () => {
    await expect(callAct('missing')).rejects.toMatchObject({
      code: 'not_found',
      message: 'Thing does not exist in this vault.',
    });
    await expect(callAct('detailed')).rejects.toMatchObject({
      code: 'version_conflict',
      message: 'Not the latest',
      details: { latest: 'v3' },
    });
  });

  it('reveals no internals of an unexpected error', async () => {
    await expect(callAct('broken')).rejects.toMatchObject({ code: 'internal_error', message: 'Internal error' });
  });

  it('fails in tests if its response does not match its contract', async () => {
    await expect(callAct('against the contract')).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('is completed before its service shuts down', async () => {
    const apps = await startApps([]);
    const ending = await apps.start(billing);
    const pending = apps.callAs(caller, act, { body: { how: 'slow' } });
    await eventually(() => expect(slow).toBe(1));
    await ending.close();
    await expect(pending).resolves.toEqual({ user: caller.user });
    await apps.close();
  });

  it('fails at once if its response is too large for the broker', async () => {
    await expect(callAct('at length', 30_000)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('page_size'),
    });
    await expect(callAct('well')).resolves.toEqual({ user: caller.user });
  });

  it('fails at once if its service is not running', async () => {
    await expect(system.callAs(caller, listNotifications)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The notifications service is not running; nothing was done. Try again shortly.',
    });
  });

  it('fails at its deadline if there is no response', async () => {
    const start = performance.now();
    await expect(callAct('slow', 200)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The billing service did not respond in time\. .* may or may not have been made/),
    });
    expect(performance.now() - start).toBeGreaterThanOrEqual(190);
  });

  it('is handled by one instance of the service per request', async () => {
    const copy = await system.start(billing);
    const responses = await Promise.all(Array.from({ length: 50 }, () => callAct('well')));
    expect(responses).toHaveLength(50);
    await copy.close();
    await expect(callAct('well')).resolves.toEqual({ user: caller.user });
  });
});

it('a request that is too large for the broker is rejected', async () => {
  const pending = system.callAs(ownerCaller(), act, { body: { how: '\n'.repeat(17 * 1024 * 1024) } });
  await expect(pending).rejects.toMatchObject({ code: 'payload_too_large' });
});
