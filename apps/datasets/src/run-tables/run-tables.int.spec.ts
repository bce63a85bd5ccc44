import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteColumn, updateColumn } from '@millrace/contracts/datasets/columns';
import { clearDataset, updateDataset } from '@millrace/contracts/datasets/datasets';
import { deleteRows } from '@millrace/contracts/datasets/rows';
import { compareTableRows, compareTables } from '@millrace/contracts/datasets/run-tables';
import type { Request } from '@millrace/contracts/kit/operation';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { jsonLines, type FakeRun, type IngestTable } from '../ingest/testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../ingest/testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
beforeAll(async () => void (system = await startIngesting(owner)));
afterAll(() => system.close());

async function seedBound(key?: string[]) {
  const table = await system.seed(key);
  const workflow = newId();
  await table.bind(workflow, 1);
  const load = async (content: string, change: Partial<FakeRun> = {}) => {
    const run = await system.runs.finish({ workflow, outputs: [content], ...change });
    await table.load(run);
    return run;
  };
  return { table, workflow, load };
}

const compare = async (a: string, b: string, query: Request<typeof compareTables>['query'] = {}, caller = owner) =>
  system.callAs(caller, compareTables, { params: { id: a, otherId: b }, query });
const compareOne = async (a: string, b: string) => (await compare(a, b)).results[0];
const rowsOf = (
  { table }: IngestTable,
  [a, b]: [string, string],
  query: Request<typeof compareTableRows>['query'] = {},
  caller = owner,
) => system.callAs(caller, compareTableRows, { params: { id: a, otherId: b, dataset: table.id }, query });

describe('the tables of two runs', () => {
  it('have rows that are the same, new, changed and gone, also after later runs', async () => {
    const { table, load } = await seedBound();
    const a = await load('{"k":"same","n":1}\n{"k":"change","n":1,"t":"x"}\n{"k":"go","n":1}');
    const b = await load('{"k":"same","n":1}\n{"k":"change","n":2,"t":"x"}\n{"k":"come","n":1}');
    await load('{"k":"same","n":7}\n{"k":"change","n":7}\n{"k":"go","n":7}');
    expect(await compareOne(a, b)).toEqual({
      ...{ dataset: table.table.id, name: 'seeded', primary_key: ['k'] },
      a: { load: 'complete', rows: 3, deleted: 0, rejected: 0 },
      b: { load: 'complete', rows: 3, deleted: 0, rejected: 0 },
      counts: { same: 1, new: 1, changed: 1, gone: 1 },
      columns: { only_in_a: [], only_in_b: [] },
    });
    expect((await rowsOf(table, [a, b])).results).toEqual([
      { change: 'new', row: 4, key: { k: 'come' }, b: { k: 'come', n: 1, t: null } },
      { change: 'changed', row: 2, key: { k: 'change' }, a: { n: 1 }, b: { n: 2 } },
      { change: 'gone', row: 3, key: { k: 'go' }, a: { k: 'go', n: 1, t: null } },
    ]);
    expect((await rowsOf(table, [b, a], { change: 'changed' })).results).toMatchObject([{ a: { n: 2 }, b: { n: 1 } }]);
  });

  it('list tables that only one run loaded, with what is known of its load', async () => {
    const { table, load } = await seedBound();
    const other = await seedBound();
    const a = await load('{"k":"a"}\nnonsense', { complete: false });
    const b = await other.load('{"k":"b"}\n{"k":"c"}');
    const { results } = await compare(a, b);
    expect(results).toMatchObject([
      {
        dataset: table.table.id,
        a: { load: 'partial', rows: 1, rejected: 1 },
        b: { load: 'absent', rows: 0 },
        counts: { gone: 1, new: 0 },
      },
      { dataset: other.table.table.id, a: { load: 'absent' }, b: { load: 'complete' }, counts: { new: 2, gone: 0 } },
    ]);
    const first = await compare(a, b, { page_size: 1 });
    const second = await compare(a, b, { page_size: 1, cursor: String(first.cursor) });
    expect([...first.results, ...second.results]).toEqual(results);
    expect(second.cursor).toBeNull();
  });

  it('have the rows of the last end of a run that was retried', async () => {
    const { table, workflow, load } = await seedBound();
    const a = await load('{"k":"x","n":1}\n{"k":"y","n":1}', { complete: false });
    const b = await load('{"k":"x","n":2}\n{"k":"y","n":1}');
    const revision = system.runs.retry(a, { outputs: ['{"k":"x","n":3}\n{"k":"z","n":3}'], complete: true });
    await system.runs.publishFinished(a);
    await table.load(a, revision);
    expect(await compareOne(a, b)).toMatchObject({
      ...{ a: { load: 'complete', rows: 2 }, counts: { same: 0, new: 1, changed: 1, gone: 1 } },
    });
    expect((await rowsOf(table, [a, b], { change: 'changed' })).results).toMatchObject([{ a: { n: 3 }, b: { n: 2 } }]);
    const held = system.runs.start({ workflow, outputs: ['{"k":"x","n":2}'] });
    expect((await compare(held, held)).results).toEqual([]);
  });

  it('do not differ because a column became text, was given another type, or the table was renamed', async () => {
    const { table, load } = await seedBound();
    const values = '"d":1.5,"b":true,"i":"10.0.0.1","at":"2026-01-01T00:00:00Z"';
    const a = await load(`{"k":"x","n":1,${values}}\n{"k":"y","n":2,${values}}`);
    const b = await load(`{"k":"x","n":1,${values}}\n{"k":"y","n":3,${values}}`);
    await load('{"k":"x","n":"text","d":"text","b":"text","i":"text","at":"text"}\n{"k":"y","n":4}');
    expect(await table.types()).toEqual({ k: 'text', n: 'text', d: 'text', b: 'text', i: 'text', at: 'text' });
    const params = { id: table.table.id };
    await system.callAs(owner, updateDataset, { params, body: { name: 'renamed' } });
    expect(await compareOne(a, b)).toMatchObject({ name: 'renamed', counts: { same: 1, changed: 1 } });
    expect((await rowsOf(table, [a, b])).results).toMatchObject([{ a: { n: '2' }, b: { n: '3' } }]);

    const other = await seedBound();
    const [c, d] = [await other.load('{"k":"x","n":"1"}'), await other.load('{"k":"x","n":"2"}')];
    const e = await other.load('{"k":"x","n":"1"}');
    const column = { id: other.table.table.id, name: 'n' };
    await system.callAs(owner, updateColumn, { params: column, body: { type: 'bigint' } });
    expect(await compareOne(c, e)).toMatchObject({ counts: { same: 1, changed: 0 } });
    expect((await rowsOf(other.table, [c, d])).results).toMatchObject([{ a: { n: 1 }, b: { n: 2 } }]);
    await system.callAs(owner, deleteColumn, { params: column });
    expect(await compareOne(c, d)).toMatchObject({ counts: { same: 1, changed: 0 } });
  });

  it('name columns that only one run loaded, and do not compare their values', async () => {
    const { load } = await seedBound();
    const a = await load('{"k":"x","n":1,"old":1}');
    const b = await load('{"k":"x","n":1,"added":1,"__proto__":1}');
    expect(await compareOne(a, b)).toMatchObject({
      counts: { same: 1, changed: 0 },
      columns: { only_in_a: ['old'], only_in_b: ['added', '__proto__'] },
    });
  });

  it('match rows by a key of several columns', async () => {
    const { table, load } = await seedBound(['host', 'port']);
    const a = await load('{"host":"x","port":"1","n":1}\n{"host":"x","port":"2","n":1}');
    const b = await load('{"host":"x","port":"1","n":2}\n{"host":"y","port":"2","n":1}');
    expect(await compareOne(a, b)).toMatchObject({ counts: { same: 0, new: 1, changed: 1, gone: 1 } });
    const { results } = await rowsOf(table, [a, b], { change: 'gone,changed' });
    expect(results).toMatchObject([
      { change: 'changed', key: { host: 'x', port: '1' } },
      { change: 'gone', key: { host: 'x', port: '2' } },
    ]);
  });

  it('count copies of a row if the table has no key', async () => {
    const { table, load } = await seedBound([]);
    const a = await load('{"n":1}\n{"n":1}\n{"n":2}');
    const b = await load('{"n":1}\n{"n":1}\n{"n":1}\n{"n":3}');
    expect(await compareOne(a, b)).toMatchObject({ counts: { same: 2, new: 2, changed: 0, gone: 1 } });
    expect((await rowsOf(table, [a, b])).results).toEqual([
      { change: 'new', row: 6, b: { n: 1 } },
      { change: 'new', row: 7, b: { n: 3 } },
      { change: 'gone', row: 3, a: { n: 2 } },
    ]);
  });

  it('leave out rows that a user deleted, and say how many', async () => {
    const { table, load } = await seedBound();
    const a = await load('{"k":"x"}\n{"k":"y"}');
    const b = await load('{"k":"x"}\n{"k":"z"}');
    await system.callAs(owner, deleteRows, { params: { id: table.table.id }, query: { q: 'k = x OR k = y' } });
    expect(await compareOne(a, b)).toMatchObject({
      ...{ a: { rows: 2, deleted: 2 }, b: { rows: 2, deleted: 1 } },
      counts: { same: 0, new: 1, changed: 0, gone: 0 },
    });
  });
});

describe('rows that are not known', () => {
  it.each([
    ['cleared', (table: IngestTable) => system.callAs(owner, clearDataset, { params: { id: table.table.id } })],
    [
      'not_recorded',
      (table: IngestTable) =>
        table.query('UPDATE datasets.generation SET row_ids = NULL WHERE dataset_id = $1', [table.table.id]),
    ],
    [
      'unfinished',
      (table: IngestTable) =>
        table.query("UPDATE datasets.load SET status = 'READING' WHERE dataset_id = $1", [table.table.id]),
    ],
  ])('have no counts, and the reason %s', async (reason, change) => {
    const { table, load } = await seedBound();
    const [a, b] = [await load('{"k":"x"}'), await load('{"k":"y"}')];
    await change(table);
    expect(await compareOne(a, b)).toMatchObject({ a: { rows: null }, counts: null, reason });
    await expect(rowsOf(table, [a, b])).rejects.toMatchObject({ code: 'validation_error', details: { reason } });
  });

  it('are those of a table that cannot be read in time; other tables have their counts', async () => {
    const hasty = await startIngesting(owner, { QUERY_TIMEOUT: '1000' });
    try {
      const tables = [await hasty.seed(), await hasty.seed()];
      const workflow = newId();
      for (const table of tables) await table.bind(workflow, 1);
      const load = async (content: string) => {
        const run = await hasty.runs.finish({ workflow, outputs: [content] });
        for (const table of tables) await table.load(run);
        return run;
      };
      const params = { id: await load('{"k":"x","n":1}'), otherId: await load('{"k":"x","n":2}') };
      await hasty.client.transaction(async (tx) => {
        await tx.$executeRawUnsafe(`LOCK TABLE live.d_${tables[0]?.table.number}_changes IN ACCESS EXCLUSIVE MODE`);
        const { results } = await hasty.callAs(owner, compareTables, { params, query: {} });
        expect(results).toMatchObject([{ counts: null, reason: 'timeout' }, { counts: { changed: 1 } }]);
        const dataset = String(results[0]?.dataset);
        await expect(
          hasty.callAs(owner, compareTableRows, { params: { ...params, dataset }, query: { change: 'changed' } }),
        ).rejects.toMatchObject({ code: 'validation_error', details: { reason: 'timeout' } });
      });
    } finally {
      await hasty.close();
    }
  });
});

describe('a page of rows', () => {
  it('continues where the last one ended, also over several changes', async () => {
    const { table, load } = await seedBound();
    const rows = (from: number, to: number, n: number) =>
      jsonLines(Array.from({ length: to - from }, (_, at) => ({ k: `host-${from + at}`, n: at % 3 === 0 ? n : 0 })));
    const [a, b] = [await load(rows(0, 1000, 1)), await load(rows(300, 1300, 2))];
    const all: unknown[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const page = await rowsOf(table, [a, b], { page_size: 90, ...(cursor !== '' && { cursor }) });
      all.push(...page.results);
      ({ cursor } = page);
    }
    expect(await compareOne(a, b)).toMatchObject({ counts: { new: 300, gone: 300, changed: 234, same: 466 } });
    expect(all).toHaveLength(834);
    expect(pages).toBeGreaterThan(9);
    expect(all).toEqual((await rowsOf(table, [a, b], { page_size: 1000 })).results);
  });

  it('is not found by a malformed cursor or one of another change', async () => {
    const { table, load } = await seedBound();
    const run = await load('{"k":"x"}');
    for (const cursor of ['x', 'gone.1', 'new.99999999999999999999']) {
      await expect(rowsOf(table, [run, run], { cursor, change: 'new' })).rejects.toMatchObject({
        code: 'validation_error',
      });
    }
    await expect(compare(run, run, { cursor: 'x' })).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a caller', () => {
  it('needs to read both runs and to query the table; what is hidden does not exist', async () => {
    const { table, load } = await seedBound();
    const { space: own } = table.table;
    const [open, hidden] = [newId(), newId()];
    const a = await load('{"k":"x"}', { space: open });
    const b = await load('{"k":"y"}', { space: hidden });
    const guest = memberCaller(owner, { [open]: 'read' });
    expect((await compare(a, a, {}, guest)).results).toEqual([]);
    await expect(rowsOf(table, [a, a], {}, guest)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      rowsOf({ ...table, table: { ...table.table, id: newId() } } as IngestTable, [a, a], {}, guest),
    ).rejects.toMatchObject({ code: 'not_found' });
    const analyst = memberCaller(owner, { [open]: 'read', [own]: 'insights' });
    expect((await compare(a, a, {}, analyst)).results).toMatchObject([{ counts: { same: 1 } }]);
    for (const params of [
      { id: a, otherId: b },
      { id: b, otherId: a },
      { id: a, otherId: '999999' },
    ]) {
      await expect(system.callAs(analyst, compareTables, { params, query: {} })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await table.query('UPDATE datasets.solution SET is_public = true WHERE id = $1', [table.table.solution]);
    expect((await rowsOf(table, [a, a], {}, guest)).results).toEqual([]);
    expect((await compare(a, a, {}, guest)).results).toHaveLength(1);
  });
});

it('runs of 100,000 rows are compared with and without a key', async () => {
  for (const key of [['k'], []]) {
    const { table, load } = await seedBound(key);
    const rows = (from: number, n: number) =>
      jsonLines(Array.from({ length: 100_000 }, (_, at) => ({ k: `host-${from + at}`, n: at % 2 === 0 ? n : 0 })));
    const [a, b] = [await load(rows(0, 1)), await load(rows(1_000, 2))];
    const changed = key.length > 0 ? 49_500 : 0;
    expect(await compareOne(a, b)).toMatchObject({
      counts: { changed, same: 49_500, new: 1_000 + 49_500 - changed, gone: 1_000 + 49_500 - changed },
    });
    const change = key.length > 0 ? 'changed' : 'new';
    expect((await rowsOf(table, [a, b], { change, page_size: 1000 })).results).toHaveLength(1000);
  }
}, 240_000);
