import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { USAGE_GROUPS } from '@millrace/contracts/billing/usage';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { startApps } from '@millrace/testkit/start-apps';
import { addEntries, type Attempt } from '../ledger/add-entries.js';
import { monthsAgo, thisMonth } from '../month.js';
import { start } from '../start.js';
import { listGroups, sumGroups } from '../usage/sum-usage.js';
import { rollUpEntries } from './roll-up-entries.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'billing', connections: 4 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const [WORKFLOWS, SPACES] = [
  [newId(), newId()],
  [newId(), newId()],
];
const DAY_MS = 86_400_000;
/** 120 days, in five months of the past. */
const timeOf = (day: number, ms = 0) => new Date(Date.UTC(2025, 0, 20 + day) + ms).toISOString();

const entry = fc.record({
  run: fc.nat(5),
  space: fc.option(fc.nat(1)),
  // Few days, so that a run often has several entries on one, and the first and last moments of a day.
  day: fc.oneof(fc.nat(119), fc.constantFrom(11, 12, 13, 40)),
  ms: fc.oneof(fc.constantFrom(0, DAY_MS - 1), fc.nat(DAY_MS - 1)),
  cpuMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5_000, noNaN: true })),
});
type Entry = typeof entry extends fc.Arbitrary<infer E> ? E : never;

const range = fc.tuple(fc.integer({ min: -1, max: 121 }), fc.integer({ min: -1, max: 121 }));

let numbers = 0;
const toAttempts = (vault: string, entries: Entry[]): Attempt[] => {
  const base = (numbers += 1_000);
  return entries.map(({ run, space, day, ms, cpuMs }, at) => ({
    ...{ vault, subjob: String(base + at), attempt: 1, run: String(base + run), cpuMs, finishedAt: timeOf(day, ms) },
    workflow: WORKFLOWS[run % 2]!,
    ...(space !== null && { space: SPACES[space]! }),
  }));
};

/** Everything that users see of the usage of these ranges. */
const readAll = (vault: string, ranges: [number, number][]) =>
  Promise.all(
    ranges.flatMap(([a, b]) => {
      const [from, to] = [timeOf(Math.min(a, b)), timeOf(Math.max(a, b))];
      return USAGE_GROUPS.map(async (group) => ({
        ...{ from, to, group },
        page: await sumGroups(database, { vault, from, to }, group, { take: 100, skip: 0 }),
        rest: await sumGroups(database, { vault, from, to }, group, { take: 100, skip: 1 }),
        lines: await listGroups(database, { vault, from, to }, group, { take: 100, after: null }),
      }));
    }),
  );

const rollUp = (vault: string, month: string, limit: number) =>
  database.transaction((tx) => rollUpEntries(tx, vault, { month, limit }));

const countEntries = (vault: string) => database.client.usageEntry.count({ where: { vaultId: vault } });

describe('the sums of usage', () => {
  it('are the same after each batch of entries that is rolled up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 40 }),
        fc.array(range, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 15 }),
        async (entries, ranges, limit) => {
          const vault = newId();
          await database.transaction((tx) => addEntries(tx, toAttempts(vault, entries)));
          const all: [number, number][] = [[-1, 121], ...ranges];
          const before = await readAll(vault, all);
          for (const month of ['2025-02-01', '2025-03-01', '2025-04-01', '2025-07-01']) {
            while ((await rollUp(vault, month, limit)) > 0) expect(await readAll(vault, all)).toEqual(before);
          }
          expect(await countEntries(vault)).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('include an entry that arrives after its day was rolled up', async () => {
    const vault = newId();
    const [first, second] = toAttempts(vault, [
      { run: 1, space: 0, day: 3, ms: 0, cpuMs: 1_500 },
      { run: 1, space: 0, day: 3, ms: 5, cpuMs: 2_500 },
    ]);
    await database.transaction((tx) => addEntries(tx, [first!]));
    expect(await rollUp(vault, '2025-07-01', 10)).toBe(1);
    await database.transaction((tx) => addEntries(tx, [second!]));
    const read = () => readAll(vault, [[3, 4]]);
    const before = await read();
    expect(before[0]?.page.total).toMatchObject({ units: 5n, cpuMs: 4_000, subjobs: 2n, runs: 1n });
    expect(await rollUp(vault, '2025-07-01', 10)).toBe(1);
    expect(await read()).toEqual(before);
  });

  it('contain each entry once if several copies of the service roll up at the same time', async () => {
    const vault = newId();
    const entries = Array.from({ length: 60 }, (_, at) => ({
      run: at % 6,
      space: at % 2,
      day: at,
      ms: at,
      cpuMs: at * 100,
    }));
    await database.transaction((tx) => addEntries(tx, toAttempts(vault, entries)));
    const before = await readAll(vault, [[0, 100]]);
    while ((await countEntries(vault)) > 0) {
      await Promise.all(Array.from({ length: 4 }, () => rollUp(vault, '2025-07-01', 7)));
    }
    expect(await readAll(vault, [[0, 100]])).toEqual(before);
  });
});

describe('an entry of the current month', () => {
  it('cannot be deleted, not even by the roll-up', async () => {
    const vault = newId();
    const [attempt] = toAttempts(vault, [{ run: 1, space: 0, day: 0, ms: 0, cpuMs: 1 }]);
    await database.transaction((tx) => addEntries(tx, [{ ...attempt!, finishedAt: `${thisMonth()}T00:00:00.000Z` }]));
    await expect(rollUp(vault, '2999-01-01', 10)).rejects.toThrow('billing.usage_entry is append-only');
    expect(await countEntries(vault)).toBe(1);
  });
});

describe('the service', () => {
  it('rolls up the entries from before USAGE_DETAIL_MONTHS, and forgets runs of more than a year ago', async () => {
    const system = await startApps([]);
    try {
      const vault = newId();
      const times = [400, 100].map((days) => new Date(Date.now() - days * DAY_MS).toISOString());
      times.push(`${monthsAgo(new Date(), 2).slice(0, 7)}-01T00:00:00.000Z`);
      const rows = times.map((finished_at, at) => ({
        ...{ subjob: at, attempt: 1, run: at, vault_id: vault, workflow_id: newId(), cpu_ms: 1, units: 1, finished_at },
      }));
      await system.database.query(
        'INSERT INTO billing.usage_entry SELECT * FROM jsonb_populate_recordset(NULL::billing.usage_entry, $1)',
        [JSON.stringify(rows)],
      );
      await system.start(start, { USAGE_DETAIL_MONTHS: '2' });
      await eventually(async () => {
        const subjobs = await system.database.query('SELECT subjob::int FROM billing.usage_entry');
        expect(subjobs).toEqual([{ subjob: 2 }]);
        expect(await system.database.query('SELECT run::int FROM billing.usage_run')).toEqual([{ run: 1 }]);
        expect(await system.database.query('SELECT sum(units)::int AS units FROM billing.usage_day')).toEqual([
          { units: 2 },
        ]);
      });
    } finally {
      await system.close();
    }
  });
});
