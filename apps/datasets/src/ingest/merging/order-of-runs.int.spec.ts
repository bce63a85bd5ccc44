import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listRunLoads } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { jsonLines, type FakeRuns } from '../testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
let runs: FakeRuns;
beforeAll(async () => void ({ runs } = system = await startIngesting(owner)));
afterAll(() => system.close());

describe('a run that ends after a later one', () => {
  it('delays the merge of the later one if it is already being read', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const first = await runs.finish({ workflow, outputs: ['{"k":"a","n":1}'], ready });
    const second = await runs.finish({ workflow, outputs: ['{"k":"a","n":2}\n{"k":"b","n":2}'] });
    await eventually(async () => expect(await table.status(second)).toBe('MERGING'));
    await table.append('{"k":"c","n":3}');
    expect(await table.status(second)).toBe('MERGING');
    resolve();
    for (const run of [first, second]) expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    expect(await table.rows()).toEqual([
      { k: 'c', n: 3 },
      { k: 'a', n: 2 },
      { k: 'b', n: 2 },
    ]);
    expect((await system.seen(table)).get('a')).toMatchObject({ _state: 'changed', _run: second });
  });

  it.each([
    ['fails', 'FAILED'],
    ['gave nothing', 'COMPLETED'],
  ])('no longer delays the later one if it %s', async (_, status) => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const first = await runs.finish({ workflow, outputs: [], ready });
    const second = await runs.finish({ workflow, outputs: ['{"k":"a"}'] });
    await eventually(async () => expect(await table.status(second)).toBe('MERGING'));
    if (status === 'FAILED') runs.delete(first);
    resolve();
    expect(await table.load(first)).toMatchObject({ status });
    expect(await table.load(second)).toMatchObject({ status: 'COMPLETED' });
  });

  it('adds only rows with new keys', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"a","n":0}\n{"k":"lost","n":0}'] }));
    const older = runs.start({ workflow, outputs: ['{"k":"a","n":1}\n{"k":"lost","n":1}\n{"k":"old","n":1}'] });
    const newer = await runs.finish({ workflow, outputs: ['{"k":"a","n":2}\n{"k":"b","n":2}'] });
    await table.load(newer);
    await runs.publishFinished(older);
    expect(await table.load(older)).toMatchObject({ status: 'COMPLETED' });
    const rows = await system.seen(table);
    expect(rows.get('a')).toMatchObject({ n: '2', _run: newer });
    expect(rows.get('b')).toMatchObject({ n: '2', _run: newer, _state: 'unchanged' });
    expect(rows.get('lost')).toMatchObject({ n: '0', _state: 'gone' });
    expect(rows.get('old')).toMatchObject({ n: '1', _run: older, _state: 'new' });
    const { results } = await system.callAs(owner, listRunLoads, { params: { id: older } });
    expect(results).toMatchObject([{ rows_new: 1, rows_changed: 0, rows_gone: 0 }]);
  });
});

it('two nodes of a run fill a table in the order of their bindings, and only their own rows become gone', async () => {
  const table = await system.seed();
  const workflow = newId();
  await table.bind(workflow, 1);
  await table.bind(workflow, 2, 'b-1');
  const end = async (outputs: string[], other: string[]) => {
    const run = await runs.finish({ workflow, outputs, others: { 'b-1': other } });
    await eventually(async () => {
      const { results } = await system.callAs(owner, listRunLoads, { params: { id: run } });
      expect(results.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    });
    return run;
  };
  await end(['{"k":"a","n":1}\n{"k":"both","n":1}'], ['{"k":"b","n":2}\n{"k":"both","n":2}']);
  expect((await table.rows()).sort(byKey)).toEqual([
    { k: 'a', n: 1 },
    { k: 'b', n: 2 },
    { k: 'both', n: 2 },
  ]);
  await end(['{"k":"c","n":1}'], ['{"k":"b","n":2}\n{"k":"both","n":2}']);
  const states = [...(await system.seen(table))].map(([k, row]): [string, unknown] => [k, row['_state']]);
  expect(Object.fromEntries(states)).toEqual({ a: 'gone', b: 'unchanged', both: 'unchanged', c: 'new' });
});

it('an earlier run that is loaded late, from an output that was bound since, does not change rows that a later run has seen', async () => {
  const table = await system.seed();
  const workflow = newId();
  await table.bind(workflow, 1);
  const first = runs.start({
    workflow,
    outputs: ['{"k":"same","n":1}'],
    others: { 'b-1': ['{"k":"same","n":9}\n{"k":"b","n":9}'] },
  });
  await runs.publishFinished(first);
  await table.load(first);
  const second = await runs.finish({ workflow, outputs: ['{"k":"same","n":1}\n{"k":"a","n":2}'] });
  await table.load(second);
  await table.append('{"k":"same","n":1}');
  const node = await table.bind(workflow, 2, 'b-1');
  await system.callAs(owner, loadRun, { params: { id: node }, body: { run: first } });
  await eventually(async () => {
    const { results } = await system.callAs(owner, listRunLoads, { params: { id: first } });
    expect(results.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  });
  const rows = await system.seen(table);
  expect(rows.get('same')).toMatchObject({ n: '1' });
  expect(rows.get('b')).toMatchObject({ n: '9', _run: first });
});

const byKey = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  String(one['k']) < String(other['k']) ? -1 : 1;

interface ModelRow {
  n: number;
  state: string;
  run: string | null;
}

const keyOf = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const rowsOf = fc.array(fc.record({ k: keyOf, n: fc.integer({ min: 0, max: 3 }) }), { maxLength: 8 });
/** A late load belongs to a run that keeps its number in this order but is published after all others are loaded. */
const loadOf = fc.record({
  source: fc.constantFrom(0, 1, 1, 2),
  partial: fc.boolean(),
  late: fc.boolean(),
  rows: rowsOf,
});

it('random loads of several sources, in any order, have the same result as a model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(loadOf, { minLength: 1, maxLength: 6 }), async (loads) => {
      const table = await system.seed();
      const workflows = [newId(), newId(), newId()];
      for (const source of [1, 2]) await table.bind(String(workflows[source]), source);
      const model = new Map<string, OwnedRow>();
      const started = loads.map(({ source, partial, rows, late }) => {
        const content = jsonLines(rows) + (rows.length > 0 ? '\n' : ' ');
        const fakeRun = { workflow: String(workflows[source]), outputs: [content], partial };
        return { source, partial, rows, late, content, run: source === 0 ? null : runs.start(fakeRun) };
      });
      // Uploads have no place in the order of runs, so they would need another expectation.
      const isOrdered = loads.every(({ source }) => source !== 0);
      const isLate = (load: (typeof started)[number]) => load.late && isOrdered;
      const latest = [0, 0, 0];
      for (const load of [...started.filter((one) => !isLate(one)), ...started.filter(isLate)]) {
        const { source, run, content } = load;
        if (run === null) {
          await table.append(content);
          apply(model, { ...load, partial: true, overtaken: false });
          continue;
        }
        await runs.publishFinished(run);
        await table.load(run);
        apply(model, { ...load, overtaken: Number(run) < Number(latest[source]) });
        latest[source] = Math.max(Number(latest[source]), Number(run));
      }
      const found = [...(await system.seen(table))].map(([k, row]) => [
        k,
        Number(row['n']),
        row['_state'],
        row['_run'] ?? null,
      ]);
      const expected = [...model].map(([k, { n, state, run }]) => [k, n, state, run]);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 20 },
  );
});

type OwnedRow = ModelRow & { owner: number };

interface ModelLoad {
  source: number;
  partial: boolean;
  /** A later run of its source was loaded before. */
  overtaken: boolean;
  rows: { k: string; n: number }[];
  run: string | null;
}

function apply(model: Map<string, OwnedRow>, { source, partial, overtaken, rows, run }: ModelLoad): void {
  const last = new Map(rows.map(({ k, n }) => [k, n]));
  for (const row of model.values()) if (row.owner === source && row.state !== 'gone') row.state = 'unchanged';
  for (const [k, n] of last) {
    const previous = model.get(k);
    if (!previous) model.set(k, { n, state: 'new', run, owner: source });
    else if (overtaken) continue;
    // Rows that a later run of any source has seen last.
    else if (previous.state !== 'gone' && Number(previous.run ?? 0) > Number(run ?? Infinity)) continue;
    else if (previous.n !== n || previous.state === 'gone') model.set(k, { n, state: 'changed', run, owner: source });
    else model.set(k, { n, state: 'unchanged', run, owner: source === 0 ? previous.owner : source });
  }
  if (partial || overtaken) return;
  for (const [k, row] of model) if (row.owner === source && !last.has(k) && row.state !== 'gone') row.state = 'gone';
}
