import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Request } from '@millrace/contracts/kit/operation';
import { compareNodes, compareOutputs, compareRuns } from '@millrace/contracts/runs/compare';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';
import { storeItems } from '../testing/store-items.js';

const caller = ownerCaller();
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

const workflow = newId();
const version = newId();

/** Inserts a run whose `each-1` works on lines, and wrote `<line>: <text>` for each. */
async function insert(lines: string[], text = 'x', { stored = true } = {}): Promise<SplitRun> {
  const run = await insertSplitRun(database, {
    ...{
      caller,
      folder: system.folder,
      children: lines.length,
      workflow,
      version,
      space: '00000000-0000-4000-8000-00000000c0de',
    },
  });
  if (stored) await storeItems(database, system.folder, run, lines);
  await database.client.$executeRaw`
    INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256)
    SELECT gen_random_uuid(), ${run.run.id}, n, ${run.step('each-1')}, n, 'each-1', 'each', 'output.txt', 3,
      encode(sha256(convert_to(line || ${text}, 'UTF8')), 'hex')
    FROM unnest(${lines}::text[]) WITH ORDINALITY AS l(line, n)`;
  return run;
}

type OutputQuery = Partial<Request<typeof compareOutputs>['query']>;
const paramsOf = (a: SplitRun, b: SplitRun) => ({ params: { id: a.id, otherId: b.id } });
const summary = (a: SplitRun, b: SplitRun) => system.callAs(caller, compareRuns, paramsOf(a, b));
const nodes = (a: SplitRun, b: SplitRun, query: { page_size?: number; cursor?: string } = {}) =>
  system.callAs(caller, compareNodes, { ...paramsOf(a, b), query });
const outputs = (a: SplitRun, b: SplitRun, query: OutputQuery = {}) =>
  system.callAs(caller, compareOutputs, { ...paramsOf(a, b), query });

/** The changed outputs in short: change, child of `a`, child of `b`. */
async function changes(a: SplitRun, b: SplitRun, query: OutputQuery = {}) {
  const { results } = await outputs(a, b, query);
  return results.map((result) => [result.change, result.a?.task_index ?? null, result.b?.task_index ?? null]);
}

describe('the outputs of two runs', () => {
  it('are matched by the lines of the children, so that a new line at the top shifts nothing', async () => {
    const [a, b] = [await insert(['one', 'two', 'three']), await insert(['new', 'one', 'three', 'two'])];
    expect(await changes(a, b)).toEqual([
      ['same', 1, 2],
      ['only_in_b', null, 1],
      ['same', 2, 4],
      ['same', 3, 3],
    ]);
    expect((await summary(a, b)).outputs).toEqual({ same: 3, changed: 0, only_in_a: 0, only_in_b: 1 });
    expect((await summary(b, a)).outputs).toEqual({ same: 3, changed: 0, only_in_a: 1, only_in_b: 0 });
  });

  it('are matched one to one if several children have the same line', async () => {
    const [a, b] = [await insert(['one', 'one', 'two']), await insert(['two', 'one'], 'y')];
    expect(await changes(a, b)).toEqual([
      ['changed', 1, 2],
      ['only_in_a', 2, null],
      ['changed', 3, 1],
    ]);
  });

  it('are matched by the number of the child if the items of a run are unknown', async () => {
    const [a, b] = [await insert(['one', 'two']), await insert(['two', 'one'])];
    await database.client.runSegment.updateMany({
      where: { runId: b.run.id },
      data: { split: { items: 'f'.repeat(64), index: 'e'.repeat(64), count: 2 } },
    });
    expect(await changes(a, b)).toEqual([
      ['changed', 1, 1],
      ['changed', 2, 2],
    ]);
    const { results } = await nodes(a, b);
    expect(results.find(({ node }) => node === 'each-1')).toMatchObject({ matched_by: 'index' });
  });

  it('do not include outputs that a retry replaced, and compare the content that users see', async () => {
    const [a, b] = [await insert(['one', 'two']), await insert(['one', 'two'], 'y')];
    const of = ({ run }: SplitRun, task: number) => ({ where: { runId: run.id, task } });
    await database.client.output.updateMany({ ...of(a, 1), data: { replaced: true } });
    for (const run of [a, b])
      await database.client.output.updateMany({ ...of(run, 2), data: { shownSha256: 'a'.repeat(64), shownSize: 1n } });
    expect(await changes(a, b)).toEqual([
      ['only_in_b', null, 1],
      ['same', 2, 2],
    ]);
    expect((await outputs(a, b)).results[1]!.a).toMatchObject({ sha256: 'a'.repeat(64), size: 1 });
  });

  it('are filtered by change and node, and paged without gaps', async () => {
    const lines = Array.from({ length: 25 }, (_, at) => `line ${at}`);
    const [a, b] = [await insert(lines), await insert(lines.slice(5).concat('more'))];
    expect(await changes(a, b, { change: 'only_in_b' })).toEqual([['only_in_b', null, 21]]);
    expect(await changes(a, b, { node: 'then-1' })).toEqual([]);
    const all = await changes(a, b);
    const paged: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await outputs(a, b, { page_size: 4, ...(cursor !== undefined && { cursor }) });
      expect(page.results.length).toBeLessThanOrEqual(4);
      paged.push(...page.results.map((one) => [one.change, one.a?.task_index ?? null, one.b?.task_index ?? null]));
      cursor = page.cursor;
    }
    expect(paged).toEqual(all);
    expect(all).toHaveLength(26);
  });

  it('refuse a cursor of something else', async () => {
    const a = await insert(['one']);
    for (const cursor of ['e30', 'WzFd', 'x'])
      await expect(outputs(a, a, { cursor })).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('the nodes of two runs', () => {
  it('show status, duration, cost and children of both', async () => {
    const [a, b] = [await insert(['one', 'two']), await insert(['one', 'two', 'three'])];
    const where = { runId: b.run.id, step: b.step('each-1'), task: 2 };
    await database.client.subjob.updateMany({ where, data: { status: 'FAILED', executionUnits: 7n } });
    const { results, cursor } = await nodes(a, b);
    expect(cursor).toBeNull();
    expect(results.map(({ node }) => node)).toEqual(['all-1', 'each-1', 'lines-1', 'split-1', 'then-1']);
    expect(results[1]).toMatchObject({
      ...{ node: 'each-1', label: 'each', matched_by: 'item' },
      a: { status: 'SUCCEEDED', children: 2, child_statuses: { SUCCEEDED: 2 }, execution_units: 0 },
      b: { children: 3, child_statuses: { SUCCEEDED: 2, FAILED: 1 }, execution_units: 7 },
      difference: { execution_units: 7, duration_ms: expect.any(Number) },
      outputs: { same: 2, changed: 0, only_in_a: 0, only_in_b: 1 },
    });
    expect(results[0]).not.toHaveProperty('matched_by');
  });

  it('are paged by name', async () => {
    const a = await insert(['one']);
    const first = await nodes(a, a, { page_size: 3 });
    const rest = await nodes(a, a, { page_size: 3, cursor: first.cursor! });
    expect([...first.results, ...rest.results].map(({ node }) => node)).toHaveLength(5);
    expect(rest.cursor).toBeNull();
  });
});

describe('the comparison of two runs', () => {
  it('shows both runs, and that the same version was executed', async () => {
    const [a, b] = [await insert(['one']), await insert(['one'])];
    expect(await summary(a, b)).toMatchObject({
      ...{ a: { id: a.id, status: 'COMPLETED' }, b: { id: b.id }, same_plan: true },
      version: { same: true, edges: 0, more: 0 },
      inputs: { added: [], removed: [], changed: [], same: 0 },
      nodes: { both: 5, only_in_a: 0, only_in_b: 0 },
    });
  });

  it('is not found while one of the runs is being deleted, and refuses a node that Postgres could not store', async () => {
    const [a, b] = [await insert(['one']), await insert(['one'])];
    await expect(outputs(a, b, { node: 'a\0' })).rejects.toThrow('NUL');
    await database.client.run.update({ where: { id: b.run.id }, data: { plan: 'f'.repeat(64) } });
    const missing = { code: 'not_found', message: `Run ${b.id} does not exist in this vault.` };
    for (const compare of [() => summary(a, b), () => nodes(b, a), () => outputs(a, b)])
      await expect(compare()).rejects.toMatchObject(missing);
  });

  it('is hidden if the caller may not read one of the runs', async () => {
    const [a, b] = [
      await insert(['one']),
      await insertSplitRun(database, { caller, folder: system.folder, children: 1 }),
    ];
    const reader = memberCaller(caller, { [a.run.spaceId]: 'read' });
    for (const operation of [compareRuns, compareNodes, compareOutputs]) {
      const hidden = { code: 'not_found' };
      await expect(system.callAs(reader, operation as typeof compareNodes, paramsOf(a, b))).rejects.toMatchObject(
        hidden,
      );
      await expect(system.callAs(reader, operation as typeof compareNodes, paramsOf(b, a))).rejects.toMatchObject(
        hidden,
      );
    }
    await expect(system.callAs(reader, compareRuns, paramsOf(a, a))).resolves.toMatchObject({ a: { id: a.id } });
  });
});

it('100,000 children are compared, in pages', async () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `host${at}.example.org`);
  const [a, b] = [await insert(lines), await insert(['new', ...lines])];
  expect((await summary(a, b)).outputs).toEqual({ same: 100_000, changed: 0, only_in_a: 0, only_in_b: 1 });
  expect(await changes(a, b, { change: 'changed,only_in_a,only_in_b' })).toEqual([['only_in_b', null, 1]]);
});
