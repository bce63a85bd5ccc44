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
import { startWithStore, type StoringSystem } from '@millrace/testkit/start-with-store';
import { start } from './start.js';
import { insertRows } from './testing/insert-rows.js';
import { seedDataset, type SeededDataset } from './testing/seed-dataset.js';

/** That the service has for itself. */
const CONNECTIONS = 6;

let system: StoringSystem;
let workflows: FakeWorkflows;
beforeAll(async () => {
  system = await startWithStore([start], {
    QUERY_TIMEOUT: '1500',
    DATABASE_CONNECTIONS: String(CONNECTIONS),
  });
  workflows = await fakeWorkflows(system);
});
afterAll(() => system.close());

/** Finds out in the end that twice a number is not odd; what looks worse, Postgres' automaton answers at once. */
const HOSTILE = String.raw`host ~ '^(a+)(a+)(a+)(a+)\\1\\2\\3\\4$'`;

const LONG = { timeoutMs: 30_000 };
async function seedHostile(owner: Caller, space = newId()): Promise<SeededDataset> {
  const table = await seedDataset(system.database, owner, { columns: [['host', 'text']], space });
  await insertRows(system.database, table, 1, `repeat('a', 301)`);
  return table;
}

const another = (owner: Caller): Caller => ({ ...owner, user: newId() });
const outcome = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

/** Connections of the service's own that run or hold something. */
const busy = async (): Promise<number> => {
  const [row] = await system.database.query<{ busy: string }>(
    `SELECT count(*) AS busy FROM pg_stat_activity WHERE application_name = 'millrace-datasets'
     AND datname = current_database() AND state <> 'idle' AND now() - xact_start > interval '500 ms'`,
  );
  return Number(row?.busy);
};

/** Nobody is told that something is broken, and others are answered while these go on. */
async function expectRoomBeside(asked: Promise<string>[], owner: Caller, { id }: SeededDataset): Promise<void> {
  let isOver = false;
  const outcomes = Promise.all(asked).finally(() => (isOver = true));
  let most = 0;
  while (!isOver) {
    expect(await outcome(system.callAs(another(owner), getDataset, { params: { id } }))).toBe('answered');
    most = Math.max(most, await busy());
  }
  for (const one of await outcomes) expect(['answered', 'validation_error', 'rate_limited']).toContain(one);
  expect(most).toBeLessThanOrEqual(CONNECTIONS / 2);
}

describe('requests that cost much leave room for others:', () => {
  it('deletions by a condition, which end like queries', async () => {
    const owner = ownerCaller();
    const tables = await Promise.all(Array.from({ length: 11 }, () => seedHostile(owner)));
    const asked = tables.map(({ id }) =>
      outcome(system.callAs(another(owner), deleteRows, { params: { id }, query: { q: HOSTILE } }, LONG)),
    );
    await expectRoomBeside(asked, owner, tables[0]!);
    expect(await asked[0]).toBe('validation_error');
  });

  it('copies of solutions', async () => {
    const owner = ownerCaller();
    const [space, target] = [workflows.space(owner), workflows.space(owner)];
    const table = await seedHostile(owner, space);
    const holder = new pg.Client({ connectionString: system.database.url });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE live.d_${table.number} IN ACCESS EXCLUSIVE MODE`);
    const asked = Array.from({ length: 12 }, (_, at) => {
      const body = { solution: table.solution, name: `Copy ${at}`, space: target };
      return outcome(system.callAs(another(owner), copySolution, { body }, { timeoutMs: 14_000 }));
    });
    await expectRoomBeside(asked, owner, table);
    await holder.end();
  });

  it('patterns of exports', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const body = { dataset: table.id, format: 'csv' as const, q: 'host ~ "(x*y*z*){1,250}"' };
    const asked = Array.from({ length: 40 }, () =>
      outcome(system.callAs(another(owner), createExport, { body }, LONG)),
    );
    await expectRoomBeside(asked, owner, table);
  });

  it('queries of four users, beside which a fifth has an answer', async () => {
    const owner = ownerCaller();
    const { id } = await seedHostile(owner);
    const hostile = { params: { id }, query: { q: HOSTILE, count: 'none' as const } };
    const users = Array.from({ length: 4 }, () => another(owner));
    const asked = users.flatMap((user) =>
      Array.from({ length: 12 }, () => outcome(system.callAs(user, queryRows, hostile, LONG))),
    );
    await eventually(async () => expect(await readers('%')).toBe(12));
    const quick = { params: { id }, query: { select: '_row', page_size: 1 } };
    expect((await system.callAs(another(owner), queryRows, quick, LONG)).results).toEqual([{ _row: 1 }]);
    for (const one of await Promise.all(asked)) expect(['validation_error', 'rate_limited']).toContain(one);
  });
});

/** Queries under way whose text is like that. */
const readers = async (like: string): Promise<number> => {
  const running = await system.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'millrace-queries' AND state = 'active'
     AND datname = current_database() AND query LIKE $1`,
    [like],
  );
  return running.length;
};

describe('a query that the gateway asks again for runs once:', () => {
  // Asked again after a third of the time there is.
  const SHORT = { timeoutMs: 2_400 };

  async function mostAtOnce(asking: Promise<string>, { number }: SeededDataset): Promise<number> {
    let isOver = false;
    void asking.finally(() => (isOver = true));
    let most = 0;
    while (!isOver) most = Math.max(most, await readers(`%live.d_${number} WHERE%`));
    return most;
  }

  it('one of a view', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const params = { solutionId: table.solution };
    const body = { name: 'Hostile', dataset: table.id, q: HOSTILE };
    const { id: viewId } = await system.callAs(owner, createView, { params, body });
    const asking = outcome(system.callAs(owner, queryView, { params: { ...params, viewId } }, SHORT));
    expect(await mostAtOnce(asking, table)).toBe(1);
    expect(await asking).toBe('validation_error');
  });

  it('one of a solution', async () => {
    const owner = ownerCaller();
    const table = await seedHostile(owner);
    const request = { params: { id: table.solution }, query: { q: HOSTILE } };
    const asking = outcome(system.callAs(owner, querySolution, request, SHORT));
    expect(await mostAtOnce(asking, table)).toBe(1);
    expect(await asking).toBe('validation_error');
  });
});

it('who finds no free connection is told to come again', async () => {
  const copy = await startWithStore([start], { DATABASE_CONNECTIONS: '1' });
  const owner = ownerCaller();
  const { id } = await seedDataset(copy.database, owner, { columns: [['host', 'text']] });
  const holder = new pg.Client({ connectionString: copy.database.url });
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE datasets.solution IN ACCESS EXCLUSIVE MODE`);
  const request = { params: { id } };
  const asked = Array.from({ length: 2 }, () => outcome(copy.callAs(owner, getDataset, request, { timeoutMs: 9_000 })));
  expect(await Promise.race(asked)).toBe('rate_limited');
  await holder.end();
  await Promise.all(asked);
  await copy.close();
});
