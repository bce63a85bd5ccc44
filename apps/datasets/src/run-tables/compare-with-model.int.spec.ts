import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deleteRows } from '@millrace/contracts/datasets/rows';
import { compareTableRows, compareTables } from '@millrace/contracts/datasets/run-tables';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { jsonLines, type IngestTable } from '../ingest/testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../ingest/testing/start-ingesting.js';
import { ModelRuns, textOf, type ModelRow } from './testing/model-runs.js';

const owner = ownerCaller();
let system: IngestingSystem;
beforeAll(async () => void (system = await startIngesting(owner)));
afterAll(() => system.close());

const value = fc.constantFrom<string | number | boolean>(1, 2, 1.5, 'x', '1', true);
const rows = fc.array(
  fc.record({ k: fc.constantFrom('a', 'b', 'c', 'd', 'e'), n: value, t: value }, { requiredKeys: ['k'] }),
  { maxLength: 6 },
);
const uploadedRows = rows.filter((found) => found.length > 0);
/** The rows of one output in one part or two; null if the run has no such output. */
const outputs = fc.record({ 'a-1': rows, 'b-1': fc.option(rows) });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('run' as const), outputs, complete: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late run' as const), outputs, complete: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('retry' as const), of: fc.nat(9), outputs, complete: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('upload' as const), rows: uploadedRows }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), k: fc.constantFrom('a', 'b') }) },
);
type Outputs = typeof outputs extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it.each([
  ['with', ['k']],
  ['without', []],
])('tables %s a key compare as plain lists of what the runs loaded do, after any sequence of loads', async (_, key) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const sequence = new Sequence(await system.seed(key), key.length > 0);
      await sequence.run(steps);
      await sequence.comparePairs();
    }),
    { numRuns: 8 },
  );
});

/** Applies steps to a table and to the model. */
class Sequence {
  private readonly workflow = newId();
  private readonly model: ModelRuns;
  private readonly held: (() => Promise<void>)[] = [];

  constructor(
    private readonly table: IngestTable,
    private readonly hasKey: boolean,
  ) {
    this.model = new ModelRuns(hasKey);
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.table.bind(this.workflow, 1, 'a-1');
    await this.table.bind(this.workflow, 2, 'b-1');
    for (const step of steps) await this.apply(step);
    for (const publish of this.held) await publish();
  }

  private async apply(step: Step): Promise<void> {
    if (step.kind === 'upload') return void (await this.table.append(jsonLines(step.rows)));
    if (step.kind === 'delete') return this.delete(step.k);
    const change = { ...toFakeRun(step.outputs), complete: step.complete };
    if (step.kind === 'retry') {
      const run = this.model.ids[step.of % Math.max(1, this.model.ids.length)];
      if (run !== undefined) await this.finish(run, system.runs.retry(run, change), step.outputs);
      return;
    }
    const run = system.runs.start({ workflow: this.workflow, ...change });
    const publish = () => this.finish(run, 0, step.outputs);
    if (step.kind === 'run') await publish();
    else this.held.push(publish);
  }

  private async delete(k: string): Promise<void> {
    if (!('k' in (await this.table.types()))) return;
    await system.callAs(owner, deleteRows, { params: { id: this.table.table.id }, query: { q: `k = "${k}"` } });
    this.model.delete((row) => row['k'] === k);
  }

  private async finish(run: string, revision: number, found: Outputs): Promise<void> {
    await system.runs.publishFinished(run, 'COMPLETED', revision);
    await eventually(async () => {
      const loads = await this.table.query<{ status: string }>(
        'SELECT status FROM datasets.load WHERE run_id = $1 AND dataset_id = $2 AND revision = $3',
        [run, this.table.table.id, revision],
      );
      expect(loads.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    });
    for (const [output, loaded] of Object.entries(found)) if (loaded) this.model.load(run, output, loaded);
  }

  async comparePairs(): Promise<void> {
    for (const a of this.model.ids) for (const b of this.model.ids) await this.comparePair(a, b);
  }

  private async comparePair(a: string, b: string): Promise<void> {
    const { common, ...expected } = { common: undefined, ...this.model.compare(a, b) };
    const { results } = await system.callAs(owner, compareTables, { params: { id: a, otherId: b }, query: {} });
    const { counts, reason } = results[0] ?? {};
    const sizes = { new: expected.new.length, changed: expected.changed.length, gone: expected.gone.length };
    expect({ counts, reason }).toEqual({ counts: { same: expected.same, ...sizes }, reason: undefined });
    expect(await this.list(a, b, common)).toEqual({
      new: expected.new,
      changed: expected.changed,
      gone: expected.gone,
    });
  }

  /** All pages of differing rows, as the model writes them. */
  private async list(a: string, b: string, common: string[] | undefined) {
    const found: Record<'new' | 'changed' | 'gone', string[]> = { new: [], changed: [], gone: [] };
    const params = { id: a, otherId: b, dataset: this.table.table.id };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await system.callAs(owner, compareTableRows, {
        params,
        query: { page_size: 2, ...(cursor !== undefined && { cursor }) },
      });
      for (const row of page.results) found[row.change].push(this.toText(row, common));
      ({ cursor } = page);
    }
    return { new: found.new.sort(), changed: found.changed.sort(), gone: found.gone.sort() };
  }

  private toText(row: { change: string; key?: unknown; a?: unknown; b?: unknown }, common: string[] | undefined) {
    const [inA, inB] = [dropNulls(row.a), dropNulls(row.b)];
    if (!this.hasKey) return textOf({ ...inA, ...inB }, common ?? []);
    const { k } = row.key as { k: string };
    if (row.change !== 'changed') return `${k}: ${textOf({ ...inA, ...inB }, ['k', 'n', 't'])}`;
    const columns = Object.keys(row.a as object).sort();
    return `${k}: ${textOf(inA, columns)} → ${textOf(inB, columns)}`;
  }
}

const dropNulls = (row: unknown): ModelRow =>
  Object.fromEntries(Object.entries((row ?? {}) as ModelRow).filter(([, found]) => found !== null));

/** Splits the rows of the first output into two parts. */
const toFakeRun = (found: Outputs) => ({
  outputs: [jsonLines(found['a-1'].slice(0, 2)), jsonLines(found['a-1'].slice(2))],
  others: { 'b-1': found['b-1'] ? [jsonLines(found['b-1'])] : [] },
});
