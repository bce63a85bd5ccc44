import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { anyUser } from '@millrace/contracts/kit/access';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import { operation, type Input } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { operations } from '@millrace/contracts/registry';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { billingServiceOf } from '../testing/billing-service-of.js';
import type { Context } from './context.js';
import { OperationHandler } from './operation-handler.js';

/** An operation of the tests, as if a file of the contracts declared it. */
const act = operation('billing.tests.act', {
  method: 'POST',
  path: '/tests',
  summary: 'Does what the test wants',
  access: anyUser,
  body: z.strictObject({ how: z.string() }),
  response: z.object({ user: z.string() }),
});
operations.push(act);

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
const ask = (how: string, timeoutMs = 5_000) => system.callAs(caller, act, { body: { how } }, { timeoutMs });

describe('an operation', () => {
  it('is answered by whoever handles it, who knows the caller', async () => {
    await expect(ask('well')).resolves.toEqual({ user: caller.user });
  });

  it('that fails with a code gives it, its message and its details', async () => {
    await expect(ask('missing')).rejects.toMatchObject({
      code: 'not_found',
      message: 'Thing does not exist in this vault.',
    });
    await expect(ask('detailed')).rejects.toMatchObject({
      code: 'version_conflict',
      message: 'Not the latest',
      details: { latest: 'v3' },
    });
  });

  it('that breaks tells nothing of what is inside', async () => {
    await expect(ask('broken')).rejects.toMatchObject({ code: 'internal_error', message: 'Internal error' });
  });

  it('that answers against its contract is found out in tests', async () => {
    await expect(ask('against the contract')).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('that a service ends in the middle of is answered first', async () => {
    const other = await startApps([]);
    const ending = await other.start(billing);
    const asked = other.callAs(caller, act, { body: { how: 'slow' } });
    await eventually(() => expect(slow).toBe(1));
    await ending.close();
    await expect(asked).resolves.toEqual({ user: caller.user });
    await other.close();
  });

  it('whose answer is too large for the broker says so at once', async () => {
    await expect(ask('at length', 30_000)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('page_size'),
    });
    await expect(ask('well')).resolves.toEqual({ user: caller.user });
  });

  it('that nobody is there to answer fails at once', async () => {
    await expect(system.callAs(caller, listNotifications)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The notifications service is not running; nothing was done. Try again shortly.',
    });
  });

  it('that is not answered by its deadline fails then', async () => {
    const start = performance.now();
    await expect(ask('slow', 200)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The billing service did not respond in time\. .* may or may not have been made/),
    });
    expect(performance.now() - start).toBeGreaterThanOrEqual(190);
  });

  it('is shared out among the copies of a service, each request to one of them', async () => {
    const copy = await system.start(billing);
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('well')));
    expect(answers).toHaveLength(50);
    await copy.close();
    await expect(ask('well')).resolves.toEqual({ user: caller.user });
  });
});

it('a request that is too large for the broker is refused as such', async () => {
  const asked = system.callAs(ownerCaller(), act, { body: { how: '\n'.repeat(17 * 1024 * 1024) } });
  await expect(asked).rejects.toMatchObject({ code: 'payload_too_large' });
});
