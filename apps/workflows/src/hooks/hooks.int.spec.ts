import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Restricted } from '@millrace/contracts/billing/restriction';
import { Forbidden } from '@millrace/contracts/kit/api-error';
import { deleteHook, fireHook, getHook, rotateHook } from '@millrace/contracts/workflows/hooks';
import { ownerCaller } from '@millrace/testkit/callers';
import { playRuns, type PlayedRuns } from '@millrace/testkit/play-runs';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';
import { chainOf } from '../testing/workflow-data.js';

let system: System;
let runs: PlayedRuns;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await playRuns(system);
});
afterEach(() => {
  runs.before = () => undefined;
});
afterAll(() => system.close());

const DATA = { ...chainOf(1), primitiveNodes: { 'string-input-1': { type: 'STRING', label: 'domain', value: 'x' } } };

async function seeded() {
  const caller = ownerCaller();
  runs.callers.set(caller.user, caller);
  const { id } = await seedAs(system.askAs, caller).saved(DATA);
  const params = { id };
  const made = await system.askAs(caller, rotateHook, { params });
  const fire = (body: unknown = {}, idempotencyKey?: string, { token = made.token, address = '10.0.0.1' } = {}) =>
    system.askAs(null, fireHook, { params: { token }, body }, { address, ...(idempotencyKey && { idempotencyKey }) });
  return { caller, id, params, made, fire };
}

describe('a webhook', () => {
  it('starts a run in the name of its author, with the inputs of its body', async () => {
    const { caller, id, made, fire, params } = await seeded();
    expect(made.token).toMatch(/^[\w-]{43}$/);
    expect(made).toMatchObject({ url: `http://127.0.0.1/api/hooks/${made.token}`, prefix: made.token.slice(0, 8) });
    const { run } = await fire({ domain: 'a.org', other: 1 });
    expect(runs.of(id)).toMatchObject([{ run, caller, creationType: 'API', inputs: { domain: 'a.org' } }]);
    const shown = await system.askAs(caller, getHook, { params });
    expect(shown).toMatchObject({ prefix: made.prefix, author: caller.user, last_used_date: expect.any(String) });
    expect(JSON.stringify(shown)).not.toContain(made.token);
  });

  it('has one token: another ends it at once, and so does taking it away', async () => {
    const { caller, params, fire, made } = await seeded();
    await fire({}, 'key');
    const { token } = await system.askAs(caller, rotateHook, { params });
    expect(token).not.toBe(made.token);
    for (const key of [undefined, 'key']) await expect(fire({}, key)).rejects.toMatchObject({ code: 'not_found' });
    await fire({}, undefined, { token });
    await system.askAs(caller, deleteHook, { params });
    await expect(fire({}, undefined, { token })).rejects.toMatchObject({ code: 'not_found' });
    for (const gone of [getHook, deleteHook]) {
      await expect(system.askAs(caller, gone, { params })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('has one token also where several are asked for at once', async () => {
    const { caller, params, fire } = await seeded();
    const made = await Promise.all(Array.from({ length: 6 }, () => system.askAs(caller, rotateHook, { params })));
    const fired = await Promise.allSettled(made.map(({ token }) => fire({}, undefined, { token })));
    expect(fired.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is kept without its token', async () => {
    const { made } = await seeded();
    const rows = await system.database.query<{ row: string }>('SELECT h::text AS row FROM workflows.hook h');
    expect(rows.map(({ row }) => row).join()).not.toContain(made.token);
  });

  it('starts one run for a key, whoever sends it; another body is refused; without a key each call is another', async () => {
    const { id, fire } = await seeded();
    const first = await fire({ domain: 'a' }, 'key');
    expect(await fire({ domain: 'a' }, 'key', { address: '10.9.9.9' })).toEqual(first);
    await expect(fire({ domain: 'b' }, 'key')).rejects.toMatchObject({ code: 'validation_error' });
    const other = await seeded();
    await other.fire({ domain: 'c' }, 'key');
    await fire({ domain: 'a' });
    await fire({ domain: 'a' });
    expect(runs.of(id)).toHaveLength(3);
    expect(runs.of(other.id)).toHaveLength(1);
  });

  it('starts one run for a key also where the first answer was lost', async () => {
    const { id, fire } = await seeded();
    runs.before = (moment) => {
      if (moment === 'answer') throw new Error('The process is gone');
    };
    await expect(fire({}, 'key')).rejects.toMatchObject({ code: 'internal_error' });
    runs.before = () => undefined;
    const { run } = await fire({}, 'key');
    expect(runs.of(id).map((started) => started.run)).toEqual([run]);
  });

  it('says so where its author may not any more', async () => {
    const { caller, fire } = await seeded();
    runs.before = () => {
      throw new Forbidden();
    };
    await expect(fire()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('may not run') });
    runs.callers.delete(caller.user);
    await expect(fire()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('no longer') });
  });

  it('says so where the vault may start nothing, and leaves its author alone', async () => {
    const { fire } = await seeded();
    runs.before = () => {
      throw new Restricted('credits');
    };
    await expect(fire()).rejects.toMatchObject({
      ...{ code: 'forbidden', message: expect.stringContaining('credits') },
      details: { restriction: { reason: 'credits' } },
    });
  });

  it('wants an object, and a workflow that has a version', async () => {
    const { fire } = await seeded();
    for (const body of [[], 'x', 1, true]) {
      await expect(fire(body)).rejects.toMatchObject({
        code: 'validation_error',
        details: { body: expect.any(String) },
      });
    }
    const caller = ownerCaller();
    const { id } = await seedAs(system.askAs, caller).workflow();
    const { token } = await system.askAs(caller, rotateHook, { params: { id } });
    await expect(fire({}, undefined, { token })).rejects.toMatchObject({ code: 'validation_error' });
  });
});
