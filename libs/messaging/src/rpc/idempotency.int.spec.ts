import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { anyUser } from '@millrace/contracts/kit/access';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { operation, type Input } from '@millrace/contracts/kit/operation';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { addOperation } from '../testing/add-operation.js';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { OperationHandler } from './operation-handler.js';

/** An operation of the tests, as if the contracts declared it. */
const addThing = operation('billing.tests.add', {
  method: 'POST',
  path: '/tests',
  summary: 'Adds a thing',
  access: anyUser,
  body: z.strictObject({ name: z.string() }),
  response: z.object({ id: z.string(), name: z.string() }),
});
addOperation(addThing);

let before: () => Promise<void> | void = () => undefined;
let after: () => Promise<void> | void = () => undefined;

@Controller()
class ThingsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(addThing)
  async add({ body }: Input<typeof addThing>) {
    const thing = await this.database.transaction(async (tx) => {
      const thing = { id: newId(), name: body.name };
      await tx.$executeRaw`INSERT INTO thing (id, name) VALUES (${thing.id}, ${thing.name})`;
      await before();
      return thing;
    });
    await after();
    return thing;
  }
}

let system: System;
beforeAll(async () => {
  system = await startApps([billingServiceOf({ controllers: [ThingsController] })]);
  await system.database.query('CREATE TABLE thing (id text, name text); GRANT ALL ON thing TO PUBLIC');
});
afterEach(() => {
  before = after = () => undefined;
});
afterAll(() => system.close());

const caller = ownerCaller();
const add = (name: string, key?: string, as = caller) =>
  system.callAs(
    as,
    addThing,
    { body: { name } },
    { timeoutMs: 4_000, ...(key !== undefined && { idempotencyKey: key }) },
  );

const things = async (name: string): Promise<number> =>
  (await system.database.query('SELECT 1 FROM thing WHERE name = $1', [name])).length;

const once = (work: () => Promise<void> | void) => {
  let isDone = false;
  return () => {
    if (isDone) return undefined;
    isDone = true;
    return work();
  };
};

describe('a request with a key', () => {
  it('returns the first response if it is repeated, and is executed once', async () => {
    const first = await add('repeated', 'k1');
    expect(await add('repeated', 'k1')).toEqual(first);
    expect(await things('repeated')).toBe(1);
  });

  it('returns one response if it is sent ten times at once, and is executed once', async () => {
    before = () => sleep(200);
    const responses = await Promise.all(Array.from({ length: 10 }, () => add('at once', 'k2')));
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await things('at once')).toBe(1);
  });

  it('is rejected if its body differs from the first one', async () => {
    await add('first name', 'k3');
    await expect(add('another name', 'k3')).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'header.Idempotency-Key': expect.any(String) },
    });
    expect(await things('another name')).toBe(0);
  });

  it("is independent of another user's request with the same key", async () => {
    const mine = await add('shared key', 'k4');
    expect(await add('shared key', 'k4', ownerCaller())).not.toEqual(mine);
    expect(await things('shared key')).toBe(2);
  });

  it('returns the response on a retry if it was lost after the commit, and is not executed again', async () => {
    after = once(() => {
      throw new Error('crash between commit and response');
    });
    await expect(add('crashed', 'k5')).rejects.toMatchObject({ code: 'internal_error' });
    await expect(add('crashed', 'k5')).resolves.toMatchObject({ name: 'crashed' });
    expect(await things('crashed')).toBe(1);
  });

  it('is not executed again if it failed after its commit', async () => {
    after = once(() => {
      throw new ApiError('forbidden', 'A refusal that comes too late');
    });
    await expect(add('late refusal', 'k6')).rejects.toMatchObject({ code: 'forbidden' });
    await add('late refusal', 'k6');
    expect(await things('late refusal')).toBe(1);
  });

  it.each([
    ['was rejected', () => new ApiError('forbidden', 'Not now'), 'forbidden'],
    ['failed', () => new Error('out of luck'), 'internal_error'],
  ])('that %s before its commit may be repeated at once, even with another body', async (name, error, code) => {
    before = once(() => {
      throw error();
    });
    await expect(add(name, `k7 ${name}`)).rejects.toMatchObject({ code });
    await expect(add(`${name} then`, `k7 ${name}`)).resolves.toMatchObject({ name: `${name} then` });
    expect(await things(name)).toBe(0);
  });

  it('is executed again after the lock of a crashed process has expired', async () => {
    await system.database.query(
      `INSERT INTO messaging.idempotent_request (owner, operation, key, request_hash, locked_until)
       VALUES ($1, $2, 'k8', $3, now() - interval '1 s')`,
      [caller.user, addThing.name, 'hash of the first body'],
    );
    await expect(add('taken over', 'k8')).resolves.toMatchObject({ name: 'taken over' });
  });

  it('locks its key until its deadline plus one second', async () => {
    let seconds = NaN;
    before = async () => {
      const [row] = await system.database.query<{ left: string }>(
        `SELECT extract(epoch FROM locked_until - now()) AS left FROM messaging.idempotent_request WHERE key = 'k12'`,
      );
      seconds = Number(row?.left);
    };
    await add('held', 'k12');
    expect(seconds).toBeGreaterThan(4);
    expect(seconds).toBeLessThanOrEqual(5);
  });

  it('is not executed while another instance is handling it', async () => {
    await system.database.query(
      `INSERT INTO messaging.idempotent_request (owner, operation, key, request_hash, locked_until)
       SELECT owner, operation, 'k9', request_hash, now() + interval '60 s'
       FROM messaging.idempotent_request WHERE key = 'k1'`,
    );
    await expect(add('repeated', 'k9')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await things('repeated')).toBe(1);
  });

  it('is executed again after a day', async () => {
    await add('yesterday', 'k10');
    await system.database.query(
      `UPDATE messaging.idempotent_request SET created_at = now() - interval '25 h' WHERE key = 'k10'`,
    );
    await add('today', 'k10');
    expect(await things('today')).toBe(1);
  });

  it('stores no readable response', async () => {
    await add('a secret name', 'k11');
    const [row] = await system.database.query<{ response: Buffer }>(
      `SELECT response FROM messaging.idempotent_request WHERE key = 'k11'`,
    );
    expect(row?.response.length).toBeGreaterThan(0);
    expect(row?.response.toString()).not.toContain('secret');
  });
});

it('a request without a key is executed each time', async () => {
  await add('keyless');
  await add('keyless');
  expect(await things('keyless')).toBe(2);
});
