import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Scope } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { endSubjobs } from './end-subjobs.js';
import { findBlock, type Block } from './find-block.js';
import { makeReady } from './make-ready.js';
import { findSkipReason } from './skip-reasons.js';

/** Children whose rows one statement inserts. */
const MAX_ADDED = 50_000;

/** The result of a split: the stored objects with its items and their index, and the number of items. */
export type SplitResult = NonNullable<FinishedReport['split']>;

/** Tasks of one segment that have ended. */
export interface SettledTasks {
  segment: number;
  /** Indexes of the tasks that succeeded. */
  succeeded: number[];
  /** Indexes of the tasks without a result, on which nothing that needs them can be built. */
  broken: number[];
  /** Indexes of the tasks without a result that the run goes on without. */
  missing: number[];
  /** The result, if the segment is a split that succeeded. */
  split?: SplitResult | null;
}

/**
 * Inserts the children of a scope when its split has ended: subjobs, and tasks for each of its segments.
 * @param split null if the split has no result: the whole scope is skipped
 * @returns tasks of segments that end with this: those without children, and those whose other needs are already broken
 */
export async function expandScope(
  tx: Transaction,
  run: LockedRun,
  scope: Scope,
  split: SplitResult | null,
  outcome: TaskOutcome,
): Promise<SettledTasks[]> {
  const segments = run.plan.segmentsIn(scope.index);
  const count = split?.count ?? 0;
  if (outcome !== 'SUCCEEDED') {
    const steps = run.plan.stepsIn(scope.index).map(({ index }) => index);
    const reason = await findSkipReason(tx, run, [run.plan.splitSegmentOf(scope.index)]);
    await endSubjobs(tx, run, steps, 'groups', 'SKIPPED', reason);
  }
  if (count > 0) await addChildren(tx, run, scope, count);
  // A scope without a split counts as broken, so that segments that gather from it are skipped too.
  await tx.$executeRaw`
    UPDATE runs.segment SET total = ${count}, broken = ${Number(outcome === 'BROKEN')}, missing = ${Number(outcome === 'MISSING')}
    WHERE run_id = ${run.id} AND segment = ANY(${segments.map(({ index }) => index)}::int[])`;
  const settled: SettledTasks[] = [];
  for (const { index } of segments) {
    if (count === 0) {
      settled.push({ segment: index, succeeded: [], broken: [], missing: [] });
      continue;
    }
    const block = await findBlock(tx, run, run.plan.segment(index));
    if (block === null) await makeReady(tx, run, index, null);
    else settled.push(await skipChildren(tx, run, index, count, block));
  }
  return settled;
}

async function addChildren(tx: Transaction, run: LockedRun, scope: Scope, count: number): Promise<void> {
  const steps = run.plan.stepsIn(scope.index).map(({ index }) => index);
  const segments = run.plan.segmentsIn(scope.index).map(({ index }) => index);
  const groups = await tx.$queryRaw<{ status: SubjobStatus }[]>`
    UPDATE runs.subjob SET task_count = ${count} WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0
    RETURNING status`;
  const ready = await findReadySegments(tx, run, scope);
  for (let first = 1; first <= count; first += MAX_ADDED) {
    const last = Math.min(count, first + MAX_ADDED - 1);
    await tx.$executeRaw`
      INSERT INTO runs.subjob (run_id, step, task, parent_id, node, label, status)
      SELECT run_id, step, n, id, node, label, 'PENDING' FROM runs.subjob, generate_series(${first}::int, ${last}::int) AS n
      WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = 0`;
    await tx.$executeRaw`
      INSERT INTO runs.task (run_id, segment, index, state)
      SELECT ${run.id}, s, n, CASE WHEN s = ANY(${ready}::int[]) THEN 'READY' ELSE 'WAITING' END
      FROM unnest(${segments}::int[]) AS s, generate_series(${first}::int, ${last}::int) AS n`;
  }
  run.countChildren(groups, steps.length * count);
}

/**
 * Finds the segments of a scope whose children need nothing more, so that their tasks are inserted as READY. Making a million tasks
 * ready afterwards would write each of them twice. The others are left to `makeReady`.
 */
async function findReadySegments(tx: Transaction, run: LockedRun, scope: Scope): Promise<number[]> {
  const candidates = run.plan
    .segmentsIn(scope.index)
    .filter(({ index, needs }) => run.plan.readyState(index) === 'READY' && needs.every(({ how }) => how === 'all'));
  const needed = candidates.flatMap(({ needs }) => needs.map(({ segment }) => segment));
  const open = await tx.$queryRaw<{ segment: number }[]>`
    SELECT segment FROM runs.segment WHERE run_id = ${run.id} AND segment = ANY(${needed}::int[])
      AND (total IS NULL OR settled < total OR broken > 0 OR missing > 0)`;
  const unmet = new Set(open.map(({ segment }) => segment));
  return candidates.filter(({ needs }) => !needs.some(({ segment }) => unmet.has(segment))).map(({ index }) => index);
}

async function skipChildren(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  count: number,
  { causes, outcome }: Block,
): Promise<SettledTasks> {
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'DONE', outcome = ${outcome}
    WHERE run_id = ${run.id} AND segment = ${segment} AND state = 'WAITING'`;
  const reason = await findSkipReason(tx, run, causes);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, 'children', 'SKIPPED', reason);
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const isBroken = outcome === 'BROKEN';
  return { segment, succeeded: [], broken: isBroken ? all : [], missing: isBroken ? [] : all };
}
