import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteColumn, updateColumn } from '@millrace/contracts/datasets/columns';
import { updateDataset } from '@millrace/contracts/datasets/datasets';
import { deleteRows } from '@millrace/contracts/datasets/rows';
import { ownerCaller } from '@millrace/testkit/callers';
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

describe('the tables of two runs', () => {
  it('have rows that are the same, new, changed and gone, also after later runs', async () => {
    const { table, load } = await runs.seedBound();
    const a = await load('{"k":"same","n":1}\n{"k":"change","n":1,"t":"x"}\n{"k":"go","n":1}');
    const b = await load('{"k":"same","n":1}\n{"k":"change","n":2,"t":"x"}\n{"k":"come","n":1}');
    await load('{"k":"same","n":7}\n{"k":"change","n":7}\n{"k":"go","n":7}');
    expect(await runs.compareOne(a, b)).toEqual({
      ...{ dataset: table.table.id, name: 'seeded', primary_key: ['k'] },
      a: { load: 'complete', rows: 3, deleted: 0, rejected: 0 },
      b: { load: 'complete', rows: 3, deleted: 0, rejected: 0 },
      counts: { same: 1, new: 1, changed: 1, gone: 1 },
      columns: { only_in_a: [], only_in_b: [] },
    });
    expect((await runs.rowsOf(table, [a, b])).results).toEqual([
      { change: 'new', row: 4, key: { k: 'come' }, b: { k: 'come', n: 1, t: null } },
      { change: 'changed', row: 2, key: { k: 'change' }, a: { n: 1 }, b: { n: 2 } },
      { change: 'gone', row: 3, key: { k: 'go' }, a: { k: 'go', n: 1, t: null } },
    ]);
    expect((await runs.rowsOf(table, [b, a], { change: 'changed' })).results).toMatchObject([
      { a: { n: 2 }, b: { n: 1 } },
    ]);
  });

  it('list tables that only one run loaded, with what is known of its load', async () => {
    const { table, load } = await runs.seedBound();
    const other = await runs.seedBound();
    const a = await load('{"k":"a"}\nnonsense', { complete: false });
    const b = await other.load('{"k":"b"}\n{"k":"c"}');
    const { results } = await runs.compare(a, b);
    expect(results).toMatchObject([
      {
        dataset: table.table.id,
        a: { load: 'partial', rows: 1, rejected: 1 },
        b: { load: 'absent', rows: 0 },
        counts: { gone: 1, new: 0 },
      },
      { dataset: other.table.table.id, a: { load: 'absent' }, b: { load: 'complete' }, counts: { new: 2, gone: 0 } },
    ]);
    const first = await runs.compare(a, b, { page_size: 1 });
    const second = await runs.compare(a, b, { page_size: 1, cursor: String(first.cursor) });
    expect([...first.results, ...second.results]).toEqual(results);
    expect(second.cursor).toBeNull();
  });

  it('have the rows of the last end of a run that was retried', async () => {
    const { table, workflow, load } = await runs.seedBound();
    const a = await load('{"k":"x","n":1}\n{"k":"y","n":1}', { complete: false });
    const b = await load('{"k":"x","n":2}\n{"k":"y","n":1}');
    const revision = system.runs.retry(a, { outputs: ['{"k":"x","n":3}\n{"k":"z","n":3}'], complete: true });
    await system.runs.publishFinished(a);
    await table.load(a, revision);
    expect(await runs.compareOne(a, b)).toMatchObject({
      ...{ a: { load: 'complete', rows: 2 }, counts: { same: 0, new: 1, changed: 1, gone: 1 } },
    });
    expect((await runs.rowsOf(table, [a, b], { change: 'changed' })).results).toMatchObject([
      { a: { n: 3 }, b: { n: 2 } },
    ]);
    const held = system.runs.start({ workflow, outputs: ['{"k":"x","n":2}'] });
    expect((await runs.compare(held, held)).results).toEqual([]);
  });

  it('do not differ because a column became text, was given another type, or the table was renamed', async () => {
    const { table, load } = await runs.seedBound();
    const values = '"d":1.5,"b":true,"i":"10.0.0.1","at":"2026-01-01T00:00:00Z"';
    const a = await load(`{"k":"x","n":1,${values}}\n{"k":"y","n":2,${values}}`);
    const b = await load(`{"k":"x","n":1,${values}}\n{"k":"y","n":3,${values}}`);
    await load('{"k":"x","n":"text","d":"text","b":"text","i":"text","at":"text"}\n{"k":"y","n":4}');
    expect(await table.types()).toEqual({ k: 'text', n: 'text', d: 'text', b: 'text', i: 'text', at: 'text' });
    const params = { id: table.table.id };
    await system.callAs(owner, updateDataset, { params, body: { name: 'renamed' } });
    expect(await runs.compareOne(a, b)).toMatchObject({ name: 'renamed', counts: { same: 1, changed: 1 } });
    expect((await runs.rowsOf(table, [a, b])).results).toMatchObject([{ a: { n: '2' }, b: { n: '3' } }]);

    const other = await runs.seedBound();
    const [c, d] = [await other.load('{"k":"x","n":"1"}'), await other.load('{"k":"x","n":"2"}')];
    const e = await other.load('{"k":"x","n":"1"}');
    const column = { id: other.table.table.id, name: 'n' };
    await system.callAs(owner, updateColumn, { params: column, body: { type: 'bigint' } });
    expect(await runs.compareOne(c, e)).toMatchObject({ counts: { same: 1, changed: 0 } });
    expect((await runs.rowsOf(other.table, [c, d])).results).toMatchObject([{ a: { n: 1 }, b: { n: 2 } }]);
    await system.callAs(owner, deleteColumn, { params: column });
    expect(await runs.compareOne(c, d)).toMatchObject({ counts: { same: 1, changed: 0 } });
  });

  it('name columns that only one run loaded, and do not compare their values', async () => {
    const { load } = await runs.seedBound();
    const a = await load('{"k":"x","n":1,"old":1}');
    const b = await load('{"k":"x","n":1,"added":1,"__proto__":1}');
    expect(await runs.compareOne(a, b)).toMatchObject({
      counts: { same: 1, changed: 0 },
      columns: { only_in_a: ['old'], only_in_b: ['added', '__proto__'] },
    });
  });

  it('match rows by a key of several columns', async () => {
    const { table, load } = await runs.seedBound(['host', 'port']);
    const a = await load('{"host":"x","port":"1","n":1}\n{"host":"x","port":"2","n":1}');
    const b = await load('{"host":"x","port":"1","n":2}\n{"host":"y","port":"2","n":1}');
    expect(await runs.compareOne(a, b)).toMatchObject({ counts: { same: 0, new: 1, changed: 1, gone: 1 } });
    const { results } = await runs.rowsOf(table, [a, b], { change: 'gone,changed' });
    expect(results).toMatchObject([
      { change: 'changed', key: { host: 'x', port: '1' } },
      { change: 'gone', key: { host: 'x', port: '2' } },
    ]);
  });

  it('count copies of a row if the table has no key', async () => {
    const { table, load } = await runs.seedBound([]);
    const a = await load('{"n":1}\n{"n":1}\n{"n":2}');
    const b = await load('{"n":1}\n{"n":1}\n{"n":1}\n{"n":3}');
    expect(await runs.compareOne(a, b)).toMatchObject({ counts: { same: 2, new: 2, changed: 0, gone: 1 } });
    expect((await runs.rowsOf(table, [a, b])).results).toEqual([
      { change: 'new', row: 6, b: { n: 1 } },
      { change: 'new', row: 7, b: { n: 3 } },
      { change: 'gone', row: 3, a: { n: 2 } },
    ]);
  });

  it('leave out rows that a user deleted, and say how many', async () => {
    const { table, load } = await runs.seedBound();
    const a = await load('{"k":"x"}\n{"k":"y"}');
    const b = await load('{"k":"x"}\n{"k":"z"}');
    await system.callAs(owner, deleteRows, { params: { id: table.table.id }, query: { q: 'k = x OR k = y' } });
    expect(await runs.compareOne(a, b)).toMatchObject({
      ...{ a: { rows: 2, deleted: 2 }, b: { rows: 2, deleted: 1 } },
      counts: { same: 0, new: 1, changed: 0, gone: 0 },
    });
  });
});
