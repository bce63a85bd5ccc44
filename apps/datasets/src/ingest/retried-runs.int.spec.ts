import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { listRejected, listRunLoads } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { listChanges } from '@millrace/contracts/datasets/rows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { jsonLines, type FakeRuns, type IngestTable } from './testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from './testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
let runs: FakeRuns;
beforeAll(async () => void ({ runs } = system = await startIngesting(owner)));
afterAll(() => system.close());

/** A bound table, by default with the key `k`. */
async function seedBound(key?: string[]) {
  const table = await system.seed(key);
  const workflow = newId();
  return { table, workflow, node: await table.bind(workflow, 1) };
}

const hostRows = (from: number, to: number) =>
  jsonLines(Array.from({ length: to - from }, (_, at) => ({ k: `host-${from + at}` })));
const loadsOf = async (run: string) =>
  (await system.callAs(owner, listRunLoads, { params: { id: run }, query: { ordering: 'id' } })).results;
const changesOf = async ({ table }: IngestTable, run: string) =>
  (await system.callAs(owner, listChanges, { params: { id: table.id }, query: { run, page_size: 1 } })).counts;
const rowCount = async ({ table }: IngestTable) =>
  (await system.callAs(owner, getDataset, { params: { id: table.id } })).row_count;
const countStates = async (table: IngestTable) => {
  const states = [...(await system.seen(table)).values()].map(({ _state }) => String(_state));
  return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, rows]) => [state, rows.length]));
};

/** Retries a run, which then ends again. */
async function retry(table: IngestTable, run: string, change: Parameters<FakeRuns['retry']>[1]): Promise<void> {
  const revision = runs.retry(run, change);
  await runs.publishFinished(run);
  await table.load(run, revision);
}

describe('a run in which 30 of 1,000 hosts failed', () => {
  it.each([
    ['with', ['k']],
    ['without', []],
  ])('has its 970 rows in a table %s a key, and 990 after 20 were fixed and retried', async (_, key) => {
    const { table, workflow } = await seedBound(key);
    const run = await runs.finish({ workflow, outputs: [hostRows(0, 970)], complete: false });
    await table.load(run);
    expect(await loadsOf(run)).toMatchObject([{ partial: true, revision: 0, rows_new: 970 }]);
    await retry(table, run, { outputs: [hostRows(0, 990)], complete: false });
    expect(await loadsOf(run)).toMatchObject([
      { revision: 0, rows_new: 970 },
      { revision: 1, rows_new: 20, rows_unchanged: 970, rows_gone: 0, partial: true },
    ]);
    expect(await rowCount(table)).toBe(990);
    expect(await changesOf(table, run)).toEqual({ new: 990, changed: 0, gone: 0 });
  });

  it('marks no row as gone until all its hosts succeeded', async () => {
    const { table, workflow } = await seedBound();
    await table.load(await runs.finish({ workflow, outputs: [hostRows(0, 1_000)] }));
    const run = await runs.finish({ workflow, outputs: [hostRows(10, 970)], complete: false });
    await table.load(run);
    expect(await countStates(table)).toEqual({ unchanged: 1_000 });
    expect(await changesOf(table, run)).toEqual({ new: 0, changed: 0, gone: 0 });
    await retry(table, run, { outputs: [hostRows(10, 1_000)], complete: true });
    expect(await loadsOf(run)).toMatchObject([{ rows_gone: 0 }, { rows_gone: 10, partial: false }]);
    expect(await countStates(table)).toEqual({ gone: 10, unchanged: 990 });
    expect(await changesOf(table, run)).toEqual({ new: 0, changed: 0, gone: 10 });
  });
});

describe('a retried run', () => {
  it('keeps when its rows were first seen, and their state as of the run', async () => {
    const { table, workflow } = await seedBound();
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"old","n":1}\n{"k":"other","n":1}'] }));
    const run = await runs.finish({ workflow, outputs: ['{"k":"old","n":2}\n{"k":"a","n":1}'], complete: false });
    await table.load(run);
    const before = await system.seen(table);
    await retry(table, run, { outputs: ['{"k":"old","n":2}\n{"k":"a","n":1}\n{"k":"b","n":1}'], complete: true });
    const after = await system.seen(table);
    expect(after.get('a')?.['_first_seen']).toEqual(before.get('a')?.['_first_seen']);
    const states = Object.fromEntries([...after].map(([k, { _state }]) => [k, _state]));
    expect(states).toEqual({ old: 'changed', other: 'gone', a: 'new', b: 'new' });
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"old","n":2}\n{"k":"a","n":1}\n{"k":"b","n":1}'] }));
    expect(await countStates(table)).toEqual({ gone: 1, unchanged: 3 });
  });

  it('replaces its rows in a table without a key, and keeps those that are the same', async () => {
    const { table, workflow } = await seedBound([]);
    const other = await runs.finish({ workflow, outputs: ['{"n":1,"t":"x"}'] });
    await table.load(other);
    const run = await runs.finish({ workflow, outputs: ['{"n":1,"t":"x"}\n{"n":1,"t":"x"}\n{"n":2}\n{"n":3}'] });
    await table.load(run);
    const ids = () => table.query<{ id: string }>('SELECT _id AS id FROM TABLE ORDER BY _id');
    const former = await ids();
    await retry(table, run, { outputs: ['{"n":3}\n{"n":1,"t":"x"}', '{"n":4}\n{"n":4}'] });
    expect(await loadsOf(run)).toMatchObject([
      { rows_new: 4 },
      { rows_new: 2, rows_unchanged: 2, rows_gone: 2, rows_changed: 0 },
    ]);
    expect(await table.rows()).toEqual([
      { n: 1, t: 'x' },
      { n: 1, t: 'x' },
      { n: 3, t: null },
      { n: 4, t: null },
      { n: 4, t: null },
    ]);
    expect((await ids()).slice(0, 3)).toEqual([former[0], former[1], former[4]]);
    expect(await rowCount(table)).toBe(5);
    expect(await changesOf(table, run)).toEqual({ new: 6, changed: 0, gone: 2 });
  });

  it('is never seen twice or not at all while its rows are replaced', async () => {
    const { table, workflow } = await seedBound([]);
    const run = await runs.finish({ workflow, outputs: [hostRows(0, 20_000)] });
    await table.load(run);
    const counts = new Set<number>();
    let isDone = false;
    const reader = async () => {
      while (!isDone) counts.add(Number((await table.query<{ n: string }>('SELECT count(*) AS n FROM TABLE'))[0]?.n));
    };
    const reading = reader();
    await retry(table, run, { outputs: [hostRows(10_000, 31_000)] }).finally(() => (isDone = true));
    await reading;
    expect([...counts].filter((count) => count !== 20_000 && count !== 21_000)).toEqual([]);
    expect(await rowCount(table)).toBe(21_000);
  });

  it('does not overwrite what a later run has written', async () => {
    const { table, workflow } = await seedBound();
    const older = await runs.finish({ workflow, outputs: ['{"k":"a","n":1}'], complete: false });
    await table.load(older);
    const newer = await runs.finish({ workflow, outputs: ['{"k":"a","n":2}\n{"k":"b","n":2}'] });
    await table.load(newer);
    await retry(table, older, { outputs: ['{"k":"a","n":9}\n{"k":"b","n":9}\n{"k":"c","n":9}'], complete: true });
    const rows = await system.seen(table);
    expect(rows.get('a')).toMatchObject({ n: '2', _run: newer });
    expect(rows.get('b')).toMatchObject({ n: '2', _run: newer, _state: 'unchanged' });
    expect(rows.get('c')).toMatchObject({ n: '9', _run: older });
    expect((await loadsOf(older)).at(-1)).toMatchObject({ rows_new: 1, rows_changed: 0, rows_gone: 0 });
  });

  it('does not overwrite rows of an output that was bound later', async () => {
    const { table, workflow } = await seedBound();
    await table.bind(workflow, 2, 'b-1');
    const run = await runs.finish({
      workflow,
      outputs: ['{"k":"both","n":1}'],
      others: { 'b-1': ['{"k":"both","n":2}'] },
    });
    const untilLoaded = (loads: number) =>
      eventually(async () => {
        const found = await loadsOf(run);
        expect(found.map(({ status }) => status)).toEqual(Array.from({ length: loads }, () => 'COMPLETED'));
      });
    await untilLoaded(2);
    runs.retry(run, {});
    await runs.publishFinished(run);
    await untilLoaded(4);
    expect((await loadsOf(run)).slice(2)).toMatchObject([{ rows_changed: 0 }, { rows_changed: 0 }]);
    expect((await system.seen(table)).get('both')).toMatchObject({ n: '2' });
  });

  it('counts the rejected rows of its last revision only', async () => {
    const { table, workflow } = await seedBound();
    await table.load(await runs.finish({ workflow, outputs: ['nonsense\n{"k":'] }));
    const run = await runs.finish({ workflow, outputs: ['{"k":"a"}\nfirst\nsecond\n'] });
    await table.load(run);
    const rejected = async () => {
      const params = { id: table.table.id };
      const { results } = await system.callAs(owner, listRejected, { params, query: { run } });
      const { rejected_count: count } = await system.callAs(owner, getDataset, { params });
      return { texts: results.map(({ text }) => text).sort(), count };
    };
    const before = await rejected();
    expect(before.texts).toEqual(['first', 'second']);
    await retry(table, run, { outputs: ['{"k":"a"}\nthird\n'] });
    expect(await rejected()).toEqual({ texts: ['third'], count: before.count - 1 });
    await retry(table, run, { outputs: ['{"k":"a"}\n'] });
    expect(await rejected()).toEqual({ texts: [], count: before.count - 2 });
  });

  it('keeps its rows if it does not complete again, and if it no longer has the output', async () => {
    const { table, workflow } = await seedBound([]);
    const run = await runs.finish({ workflow, outputs: ['{"n":1}'] });
    await table.load(run);
    runs.retry(run, { status: 'FAILED', outputs: ['{"n":2}'] });
    await runs.publishFinished(run, 'FAILED');
    await retry(table, run, { status: 'COMPLETED', outputs: [] });
    expect(await table.rows()).toEqual([{ n: 1 }]);
    expect((await loadsOf(run)).map(({ revision }) => revision)).toEqual([0, 2]);
  });

  it('can be loaded by its current revision if it was bound later', async () => {
    const { table: bound, workflow } = await seedBound([]);
    const table = await system.seed();
    const run = await runs.finish({ workflow, outputs: ['{"k":"a"}'] });
    // The end of the first revision has been handled, so it loads no table that is bound from now on.
    await bound.load(run);
    runs.retry(run, { outputs: ['{"k":"a"}\n{"k":"b"}'] });
    const id = await table.bind(workflow, 1);
    const created = await system.callAs(owner, loadRun, { params: { id }, body: { run } });
    expect(created).toMatchObject({ revision: 1 });
    await runs.publishFinished(run);
    await table.load(run, 1);
    expect(await table.rows()).toEqual([{ k: 'a' }, { k: 'b' }]);
    expect((await loadsOf(run)).filter(({ dataset }) => dataset === table.table.id)).toHaveLength(1);
  });
});

describe('a load under way when its run is retried', () => {
  it('reads nothing if its outputs are not listed yet, because another load reads the new ones', async () => {
    const { table, workflow } = await seedBound([]);
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const run = await runs.finish({ workflow, outputs: ['{"n":1}'], ready });
    await eventually(() => expect(runs.requests.filter((one) => one.run === run)).not.toEqual([]));
    runs.retry(run, { status: 'RUNNING', outputs: ['{"n":2}'] });
    resolve();
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    expect(await table.rows()).toEqual([]);
    runs.retry(run, { status: 'COMPLETED', revision: 1 });
    await runs.publishFinished(run);
    await table.load(run, 1);
    expect(await table.rows()).toEqual([{ n: 2 }]);
  });

  it('is merged before the load of the next revision', async () => {
    const { table, workflow } = await seedBound([]);
    const run = await system.client.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM datasets.dataset WHERE id = ${table.table.id}::uuid FOR NO KEY UPDATE`;
      const started = await runs.finish({ workflow, outputs: ['{"n":1}\n{"n":2}'] });
      await eventually(async () => expect(await table.status(started)).toBe('MERGING'));
      runs.retry(started, { outputs: ['{"n":2}\n{"n":3}'] });
      await runs.publishFinished(started);
      await eventually(async () =>
        expect((await loadsOf(started)).map(({ status }) => status)).toEqual(['MERGING', 'MERGING']),
      );
      return started;
    });
    await table.load(run, 1);
    expect(await table.rows()).toEqual([{ n: 2 }, { n: 3 }]);
    expect(await loadsOf(run)).toMatchObject([{ rows_new: 2 }, { rows_new: 1, rows_gone: 1, rows_unchanged: 1 }]);
  });

  it('is not created for a revision below one that is loaded', async () => {
    const { table, workflow } = await seedBound([]);
    const run = runs.start({ workflow, outputs: ['{"n":2}'], revision: 2 });
    await runs.publishFinished(run);
    await table.load(run, 2);
    await runs.publishFinished(run, 'COMPLETED', 1);
    await runs.publishFinished(run, 'COMPLETED', 2);
    await table.load(await runs.finish({ workflow, outputs: ['{"n":5}'] }));
    expect((await loadsOf(run)).map(({ revision }) => revision)).toEqual([2]);
    expect(await table.rows()).toEqual([{ n: 2 }, { n: 5 }]);
  });
});

describe('a run that failed', () => {
  it.each(['FAILED', 'STOPPED'] as const)('with status %s is loaded if its reporting node says so', async (status) => {
    const { table, workflow, node } = await seedBound();
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"a","n":1}\n{"k":"b","n":1}'] }));
    const failed = runs.start({ workflow, status, partial: true, outputs: ['{"k":"a","n":2}\n{"k":"c","n":1}'] });
    await runs.publishFinished(failed, status);
    const load = () => system.callAs(owner, loadRun, { params: { id: node }, body: { run: failed } });
    await expect(load()).rejects.toMatchObject({ code: 'validation_error' });
    await table.query('UPDATE datasets.reporting_node SET load_partial = true WHERE id = $1', [node]);
    await load();
    await table.load(failed);
    const states = Object.fromEntries([...(await system.seen(table))].map(([k, { _state }]) => [k, _state]));
    expect(states).toEqual({ a: 'changed', b: 'unchanged', c: 'new' });
    expect(await loadsOf(failed)).toMatchObject([{ partial: true, rows_gone: 0, rows_changed: 1, rows_new: 1 }]);
    const next = runs.start({ workflow, status, outputs: ['{"k":"d","n":1}'] });
    await runs.publishFinished(next, status);
    await table.load(next);
    expect((await system.seen(table)).get('d')).toMatchObject({ _state: 'new', _run: next });
  });
});
