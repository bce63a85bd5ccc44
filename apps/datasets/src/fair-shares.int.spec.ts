import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { createExport } from '@millrace/contracts/datasets/exports';
import { deleteRows, queryRows } from '@millrace/contracts/datasets/rows';
import { copySolution, querySolution } from '@millrace/contracts/datasets/solutions';
import { createView, queryView } from '@millrace/contracts/datasets/views';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from './start.js';
import { insertRows, seedDataset, type SeededDataset } from './testing/seed-dataset.js';

/** Connections of the service itself, without those for queries. */
const CONNECTIONS = 6;

let system: SystemWithStore;
let workflows: FakeWorkflows;
beforeAll(async () => {
  system = await startWithStore([start], {
    QUERY_TIMEOUT: '1500',
    DATABASE_CONNECTIONS: String(CONNECTIONS),
  });
  workflows = await fakeWorkflows(system);
});
afterAll(() => system.close());

/** Takes exponential time because of the back references. Postgres' automaton decides patterns without them at once. */
const HOSTILE = String.raw`host ~ '^(a+)(a+)(a+)(a+)\\1\\2\\3\\4$'`;

const LONG = { timeoutMs: 30_000 };
async function seedHostile(owner: Caller, space = newId()): Promise<SeededDataset> {
  const table = await seedDataset(system.database, owner, { columns: [['host', 'text']], space });
  await insertRows(system.database, table, 1, `repeat('a', 301)`);
  return table;
}

const otherUserOf = (owner: Caller): Caller => ({ ...owner, user: newId() });
const outcome = (response: Promise<unknown>): Promise<string> =>
  response.then(
    () => 'succeeded',
    (error: { code: string }) => error.code,
  );

/** The number of the service's own connections that have been in a transaction for 500 ms. */
const busy = async (): Promise<number> => {
  const [row] = await system.database.query<{ busy: string }>(
    `SELECT count(*) AS busy FROM pg_stat_activity WHERE application_name = 'millrace-datasets'
     AND datname = current_database() AND state <> 'idle' AND now() - xact_start > interval '500 ms'`,
  );
  return Number(row?.busy);
};

/** Expects that other requests succeed while these run, and that none of these fails with a server error. */
async function expectRoomBeside(outcomes: Promise<string>[], owner: Caller, { id }: SeededDataset): Promise<void> {
  let isSettled = false;
  const settled = Promise.all(outcomes).finally(() => (isSettled = true));
  let maxBusy = 0;
  while (!isSettled) {
    expect(await outcome(system.callAs(otherUserOf(owner), getDataset, { params: { id } }))).toBe('succeeded');
    maxBusy = Math.max(maxBusy, await busy());
  }
  for (const one of await settled) expect(['succeeded', 'validation_error', 'rate_limited']).toContain(one);
  expect(maxBusy).toBeLessThanOrEqual(CONNECTIONS / 2);
}

describe('expensive requests leave room for others:', () => {
  it('deletions by a condition time out like queries and use at most half of the connections', async () => {
    const owner = ownerCaller();
    const tables = await Promise.all(Array.from({ length: 11 }, () => seedHostile(owner)));
    const outcomes = tables.map(({ id }) =>
      outcome(system.callAs(otherUserOf(owner), deleteRows, { params: { id }, query: { q: HOSTILE } }, LONG)),
    );
    await expectRoomBeside(outcomes, owner, tables[0]!);
    expect(await outcomes[0]).toBe('validation_error');
  });

  it('copies of solutions use at most half of the connections', async () => {
    const owner = ownerCaller();
    const [space, target] = [workflows.space(owner), workflows.space(owner)];
    const table = await seedHostile(owner, space);
    const holder = new pg.Client({ connectionString: system.database.url });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE live.d_${table.number} IN ACCESS EXCLUSIVE MODE`);
    const outcomes = Array.from({ length: 12 }, (_, at) => {
      const body = { solution: table.solution, name: `Copy ${at}`, space: target };
      return outcome(system.callAs(otherUserOf(owner), copySolution, { body }, { timeoutMs: 14_000 }));
    });
    await expectRoomBeside(outcomes, owner, table);
    await holder.end();
  });

  it('checks of export patterns use at most half of the connections', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const body = { dataset: table.id, format: 'csv' as const, q: 'host ~ "(x*y*z*){1,250}"' };
    const outcomes = Array.from({ length: 40 }, () =>
      outcome(system.callAs(otherUserOf(owner), createExport, { body }, LONG)),
    );
    await expectRoomBeside(outcomes, owner, table);
  });

  it('a fifth user gets a response while four users run expensive queries', async () => {
    const owner = ownerCaller();
    const { id } = await seedHostile(owner);
    const hostile = { params: { id }, query: { q: HOSTILE, count: 'none' as const } };
    const users = Array.from({ length: 4 }, () => otherUserOf(owner));
    const outcomes = users.flatMap((user) =>
      Array.from({ length: 12 }, () => outcome(system.callAs(user, queryRows, hostile, LONG))),
    );
    await eventually(async () => expect(await countRunning('%')).toBe(12));
    const quick = { params: { id }, query: { select: '_row', page_size: 1 } };
    expect((await system.callAs(otherUserOf(owner), queryRows, quick, LONG)).results).toEqual([{ _row: 1 }]);
    for (const one of await Promise.all(outcomes)) expect(['validation_error', 'rate_limited']).toContain(one);
  });
});

/** The number of running queries whose text matches a LIKE pattern. */
const countRunning = async (pattern: string): Promise<number> => {
  const running = await system.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'millrace-queries' AND state = 'active'
     AND datname = current_database() AND query LIKE $1`,
    [pattern],
  );
  return running.length;
};

describe('a slow query that the gateway sends twice runs once:', () => {
  // The gateway sends the request again after a third of its timeout.
  const SHORT = { timeoutMs: 2_400 };

  async function countMaxRunning(outcomePromise: Promise<string>, { number }: SeededDataset): Promise<number> {
    let isSettled = false;
    void outcomePromise.finally(() => (isSettled = true));
    let maxBusy = 0;
    while (!isSettled) maxBusy = Math.max(maxBusy, await countRunning(`%live.d_${number} WHERE%`));
    return maxBusy;
  }

  it('a query on a view', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const params = { solutionId: table.solution };
    const body = { name: 'Hostile', dataset: table.id, q: HOSTILE };
    const { id: viewId } = await system.callAs(owner, createView, { params, body });
    const outcomePromise = outcome(system.callAs(owner, queryView, { params: { ...params, viewId } }, SHORT));
    expect(await countMaxRunning(outcomePromise, table)).toBe(1);
    expect(await outcomePromise).toBe('validation_error');
  });

  it('a query on a solution', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const request = { params: { id: table.solution }, query: { q: HOSTILE } };
    const outcomePromise = outcome(system.callAs(owner, querySolution, request, SHORT));
    expect(await countMaxRunning(outcomePromise, table)).toBe(1);
    expect(await outcomePromise).toBe('validation_error');
  });
});

it('a request that finds no free connection is refused with rate_limited', async () => {
  const copy = await startWithStore([start], { DATABASE_CONNECTIONS: '1' });
  const owner = ownerCaller();
  const { id } = await seedDataset(copy.database, owner, { columns: [['host', 'text']] });
  const holder = new pg.Client({ connectionString: copy.database.url });
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE datasets.solution IN ACCESS EXCLUSIVE MODE`);
  const request = { params: { id } };
  const outcomes = Array.from({ length: 2 }, () =>
    outcome(copy.callAs(owner, getDataset, request, { timeoutMs: 9_000 })),
  );
  expect(await Promise.race(outcomes)).toBe('rate_limited');
  await holder.end();
  await Promise.all(outcomes);
  await copy.close();
});
