import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { start } from '../start.js';
import { jsonLines, type FakeRuns } from './testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from './testing/start-ingesting.js';

/**
 * The invariants of loads of retried runs:
 * 1. There is at most one load for each run, revision and output, and at most one merge for each load.
 * 2. The revisions of a run are merged in ascending order.
 * 3. When no load is unfinished, a table without a key has exactly the rows that its runs have at their last revision. With
 *    a key it has what the same loads have in a model, one after another.
 * They hold whatever the order of the events is, however often each arrives, and if connections or services end in between.
 */
const owner = ownerCaller();
let system: IngestingSystem;
let runs: FakeRuns;
beforeAll(async () => void ({ runs } = system = await startIngesting(owner)));
afterAll(() => system.close());

type Rows = { n: number }[];
const rowsOf = fc.array(fc.record({ n: fc.integer({ min: 0, max: 3 }) }), { minLength: 1, maxLength: 8 });
const actionOf = fc.oneof(
  fc.record({ kind: fc.constant('retry' as const), run: fc.nat(2), rows: rowsOf }),
  // An event of the current or an earlier revision, again or for the first time.
  fc.record({ kind: fc.constant('publish' as const), run: fc.nat(2), back: fc.nat(3) }),
  fc.record({ kind: fc.constant('interrupt' as const) }),
  fc.record({ kind: fc.constant('restart' as const) }),
);

const sorted = (rows: Rows) => rows.map(({ n }) => n).sort((a, b) => a - b);

it('events of retried runs in any order, with interruptions, leave the rows of the last revisions', async () => {
  let copy = await system.start(start);
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowsOf, { minLength: 1, maxLength: 3 }),
      fc.array(actionOf, { maxLength: 14 }),
      async (first, actions) => {
        const table = await system.seed([]);
        const workflow = newId();
        await table.bind(workflow, 1);
        const current = first.map((rows) => ({ rows, revision: 0 }));
        const ids = first.map((rows) => runs.start({ workflow, outputs: [jsonLines(rows)] }));
        for (const action of actions) {
          if (action.kind === 'interrupt') await interruptMerges();
          else if (action.kind === 'restart') {
            await copy.close();
            copy = await system.start(start);
          } else {
            const at = action.run % ids.length;
            const [run, state] = [ids[at] ?? '', current[at] ?? { rows: [], revision: 0 }];
            if (action.kind === 'publish') {
              await runs.publishFinished(run, 'COMPLETED', Math.max(0, state.revision - action.back));
            } else {
              const revision = runs.retry(run, { outputs: [jsonLines(action.rows)] });
              current[at] = { rows: action.rows, revision };
            }
          }
        }
        for (const run of ids) await runs.publishFinished(run);
        for (const [at, run] of ids.entries()) await table.load(run, current[at]?.revision);
        await eventually(async () => expect(await unfinishedLoads(table.table.id)).toEqual([]));
        const found = await table.rows();
        expect(sorted(found as Rows)).toEqual(sorted(current.flatMap(({ rows }) => rows)));
        const { row_count: count } = await system.callAs(owner, getDataset, { params: { id: table.table.id } });
        expect(count).toBe(found.length);
        await expectOneMergeInOrder(table.table.id);
      },
    ),
    { numRuns: 8 },
  );
  await copy.close();
});

/** Breaks the connections whose transactions merge or read. */
const interruptMerges = () =>
  system.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
     AND query LIKE '%live.%' AND state <> 'idle' AND pid <> pg_backend_pid()`,
  );

const unfinishedLoads = (dataset: string) =>
  system.database.query(
    "SELECT id, status FROM datasets.load WHERE dataset_id = $1 AND status NOT IN ('COMPLETED', 'FAILED')",
    [dataset],
  );

async function expectOneMergeInOrder(dataset: string): Promise<void> {
  const merges = await system.database.query<{ run: string; revision: number; load: string }>(
    `SELECT l.run_id AS run, l.revision, l.id AS load FROM datasets.generation g JOIN datasets.load l ON l.id = g.load_id
     WHERE g.dataset_id = $1 ORDER BY g.number`,
    [dataset],
  );
  expect(new Set(merges.map(({ load }) => load)).size).toBe(merges.length);
  for (const ofRun of Map.groupBy(merges, ({ run }) => run).values()) {
    const revisions = ofRun.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  }
}

const keyOf = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const keyedRowsOf = fc.array(fc.record({ k: keyOf, n: fc.integer({ min: 0, max: 3 }) }), { maxLength: 8 });
/** Each load is the first one or a retry of one of four runs: two of either source. */
const loadOf = fc.record({ run: fc.nat(3), complete: fc.boolean(), rows: keyedRowsOf });

it('random loads of runs and their retries have the same result as a model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(loadOf, { minLength: 1, maxLength: 8 }), async (loads) => {
      const table = await system.seed();
      const workflows = [newId(), newId()];
      for (const source of [1, 2]) await table.bind(String(workflows[source - 1]), source);
      const ids = [0, 1, 2, 3].map((at) =>
        runs.start({ workflow: String(workflows[at % 2]), outputs: [], revision: -1 }),
      );
      const model = new TableModel();
      for (const { run: at, complete, rows } of loads) {
        const run = ids[at] ?? '';
        const revision = runs.retry(run, { complete, outputs: [jsonLines(rows) + (rows.length > 0 ? '\n' : ' ')] });
        await runs.publishFinished(run);
        await table.load(run, revision);
        model.merge({ source: 1 + (at % 2), run: Number(run), complete, rows });
      }
      const found = [...(await system.seen(table))].map(([k, row]) => [
        ...[k, Number(row['n']), row['_state'], Number(row['_run'])],
      ]);
      expect(found.sort()).toEqual(model.list().sort());
    }),
    { numRuns: 12 },
  );
});

interface ModelRow {
  n: number;
  source: number;
  run: number;
  /** The merge that inserted the row, the one that changed it last, and the one that found it gone; 0 for none. */
  inserted: number;
  changed: number;
  gone: number;
}

interface ModelLoad {
  source: number;
  run: number;
  complete: boolean;
  rows: { k: string; n: number }[];
}

/** A table with a key whose loads are merged one after another. */
class TableModel {
  private readonly rows = new Map<string, ModelRow>();
  /** By source: the highest run, the run of the last merge, and the first and last of its successive merges. */
  private readonly sources = new Map<number, { highest: number; run: number; since: number; latest: number }>();
  private merges = 0;

  merge({ source, run, complete, rows }: ModelLoad): void {
    const now = ++this.merges;
    const former = this.sources.get(source);
    const isOvertaken = (former?.highest ?? 0) > run;
    for (const [k, n] of new Map(rows.map((row) => [row.k, row.n]))) {
      const row = this.rows.get(k);
      if (!row) this.rows.set(k, { n, source, run, inserted: now, changed: 0, gone: 0 });
      else if (isOvertaken || (row.gone === 0 && row.run > run)) continue;
      else {
        const changed = row.n !== n || row.gone > 0 ? now : row.changed;
        Object.assign(row, { n, source, run, changed, gone: 0 });
      }
    }
    const keys = new Set(rows.map(({ k }) => k));
    for (const [k, row] of this.rows) {
      const isMissing = row.source === source && row.gone === 0 && !keys.has(k);
      if (isMissing && complete && !isOvertaken) row.gone = now;
    }
    const since = former?.run === run ? former.since : now;
    this.sources.set(source, { highest: Math.max(former?.highest ?? 0, run), run, since, latest: now });
  }

  list(): [k: string, n: number, state: string, run: number][] {
    return [...this.rows].map(([k, row]) => [k, row.n, this.stateOf(row), row.run]);
  }

  private stateOf({ source, inserted, changed, gone }: ModelRow): string {
    const { since = 0, latest = 0 } = this.sources.get(source) ?? {};
    if (gone > 0) return 'gone';
    if (inserted >= since && inserted <= latest) return 'new';
    return changed >= since && changed <= latest ? 'changed' : 'unchanged';
  }
}
