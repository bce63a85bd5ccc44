import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clearDataset } from '@millrace/contracts/datasets/datasets';
import { compareTableRows, compareTables } from '@millrace/contracts/datasets/run-tables';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { jsonLines, type IngestTable } from '../ingest/testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../ingest/testing/start-ingesting.js';
import { comparingRuns } from './testing/compare-runs.js';

const owner = ownerCaller();
let system: IngestingSystem;
let runs: ReturnType<typeof comparingRuns>;
beforeAll(async () => {
  system = await startIngesting(owner);
  runs = comparingRuns(system, owner);
});
afterAll(() => system.close());

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
    const { table, load } = await runs.seedBound();
    const [a, b] = [await load('{"k":"x"}'), await load('{"k":"y"}')];
    await change(table);
    expect(await runs.compareOne(a, b)).toMatchObject({ a: { rows: null }, counts: null, reason });
    await expect(runs.rowsOf(table, [a, b])).rejects.toMatchObject({ code: 'validation_error', details: { reason } });
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
    const { table, load } = await runs.seedBound();
    const rows = (from: number, to: number, n: number) =>
      jsonLines(Array.from({ length: to - from }, (_, at) => ({ k: `host-${from + at}`, n: at % 3 === 0 ? n : 0 })));
    const [a, b] = [await load(rows(0, 1000, 1)), await load(rows(300, 1300, 2))];
    const all: unknown[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const page = await runs.rowsOf(table, [a, b], { page_size: 90, ...(cursor !== '' && { cursor }) });
      all.push(...page.results);
      ({ cursor } = page);
    }
    expect(await runs.compareOne(a, b)).toMatchObject({ counts: { new: 300, gone: 300, changed: 234, same: 466 } });
    expect(all).toHaveLength(834);
    expect(pages).toBeGreaterThan(9);
    expect(all).toEqual((await runs.rowsOf(table, [a, b], { page_size: 1000 })).results);
  });

  it('has fewer rows if they are large, and continues behind them', async () => {
    const { table, load } = await runs.seedBound();
    const large = (key: string, letter: string) => ({ k: key, t: letter.repeat(900_000) });
    const keys = ['p', 'q', 'r', 's'];
    const a = await load(jsonLines([...keys.map((key) => large(key, 'x')), { k: 'gone', t: 'x' }]));
    const b = await load(jsonLines([large('new', 'y'), ...keys.map((key) => large(key, 'y'))]));
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await runs.rowsOf(table, [a, b], cursor === '' ? {} : { cursor });
      pages.push(page.results.map(({ change, key }) => `${change} ${(key as { k: string }).k}`));
      ({ cursor } = page);
    }
    expect(pages.flat()).toEqual(['new new', ...keys.map((key) => `changed ${key}`), 'gone gone']);
    expect(pages.length).toBeGreaterThan(1);
  });

  it('shows tables of hundreds of columns', async () => {
    const { table, load } = await runs.seedBound();
    const wide = (n: number) => Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`c${at}`, at % 2 ? n : 0]));
    const a = await load(jsonLines([{ k: 'x', ...wide(1) }]));
    const b = await load(jsonLines([{ k: 'x', ...wide(2) }]));
    const { results } = await runs.rowsOf(table, [a, b]);
    expect(results).toHaveLength(1);
    expect(Object.keys(results[0]?.a as object)).toHaveLength(200);
    expect(await runs.compareOne(a, b)).toMatchObject({ counts: { changed: 1 } });
  });

  it('is not found by a malformed cursor or one of another change', async () => {
    const { table, load } = await runs.seedBound();
    const run = await load('{"k":"x"}');
    for (const cursor of ['x', 'gone.1', 'new.99999999999999999999']) {
      await expect(runs.rowsOf(table, [run, run], { cursor, change: 'new' })).rejects.toMatchObject({
        code: 'validation_error',
      });
    }
    await expect(runs.compare(run, run, { cursor: 'x' })).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a caller', () => {
  it('needs to read both runs and to query the table; what is hidden does not exist', async () => {
    const { table, load } = await runs.seedBound();
    const { space: own } = table.table;
    const [open, hidden] = [newId(), newId()];
    const a = await load('{"k":"x"}', { space: open });
    const b = await load('{"k":"y"}', { space: hidden });
    const guest = memberCaller(owner, { [open]: 'read' });
    expect((await runs.compare(a, a, {}, guest)).results).toEqual([]);
    await expect(runs.rowsOf(table, [a, a], {}, guest)).rejects.toMatchObject({ code: 'not_found' });
    await expect(runs.rowsOf({ table: { ...table.table, id: newId() } }, [a, a], {}, guest)).rejects.toMatchObject({
      code: 'not_found',
    });
    const analyst = memberCaller(owner, { [open]: 'read', [own]: 'insights' });
    expect((await runs.compare(a, a, {}, analyst)).results).toMatchObject([{ counts: { same: 1 } }]);
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
    expect((await runs.rowsOf(table, [a, a], {}, guest)).results).toEqual([]);
    expect((await runs.compare(a, a, {}, guest)).results).toHaveLength(1);
  });
});

it('runs of 100,000 rows are compared with and without a key', async () => {
  for (const key of [['k'], []]) {
    const { table, load } = await runs.seedBound(key);
    const rows = (from: number, n: number) =>
      jsonLines(Array.from({ length: 100_000 }, (_, at) => ({ k: `host-${from + at}`, n: at % 2 === 0 ? n : 0 })));
    const [a, b] = [await load(rows(0, 1)), await load(rows(1_000, 2))];
    const changed = key.length > 0 ? 49_500 : 0;
    expect(await runs.compareOne(a, b)).toMatchObject({
      counts: { changed, same: 49_500, new: 1_000 + 49_500 - changed, gone: 1_000 + 49_500 - changed },
    });
    const change = key.length > 0 ? 'changed' : 'new';
    expect((await runs.rowsOf(table, [a, b], { change, page_size: 1000 })).results).toHaveLength(1000);
  }
});
