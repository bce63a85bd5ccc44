import type { Segment, StepInput } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** Why no task of a segment can run: segments that it needs as a whole have no result. */
export interface Block {
  /** Those segments. */
  causes: readonly number[];
  /** How the tasks end because of it. */
  outcome: Extract<TaskOutcome, 'BROKEN' | 'MISSING'>;
}

interface Source {
  segment: number;
  isOpen: boolean;
  broken: number;
  missing: number;
}

/**
 * Finds what prevents all tasks of a segment from running, now and later: a segment that it needs as a whole is broken, or
 * all nodes that one of its parameters takes a result from have none. The latter counts only when everything that it needs
 * has ended, because what is ordered after the segment must not start before that.
 */
export async function findBlock(tx: Transaction, run: LockedRun, segment: Segment): Promise<Block | null> {
  const whole = segment.needs.filter(({ how }) => how === 'all').map((need) => need.segment);
  if (whole.length === 0) return null;
  const known = await tx.$queryRaw<Source[]>`
    SELECT segment, (total IS NULL OR settled < total) AS "isOpen", broken, missing FROM runs.segment
    WHERE run_id = ${run.id} AND segment = ANY(${run.plan.withPredecessors(whole)}::int[]) ORDER BY segment`;
  const rows = known.filter((row) => whole.includes(row.segment));
  const broken = listBroken(run, whole, known);
  const missing = rows.filter((row) => row.missing > 0 && runsOnce(run, row.segment));
  const unfilled = findUnfilledParams(run, segment, new Set(missing.map(({ segment: index }) => index)));
  if (broken.length > 0) return { causes: [...new Set([...broken, ...unfilled])], outcome: 'BROKEN' };
  if (rows.some(({ isOpen }) => isOpen)) return null;
  return unfilled.length === 0 ? null : { causes: unfilled, outcome: 'MISSING' };
}

/**
 * The broken segments among those that are needed as a whole. A segment may be broken only because it follows one whose failures
 * are too many: that one is a cause, too.
 */
function listBroken({ plan }: LockedRun, whole: readonly number[], known: readonly Source[]): number[] {
  const broken = known.filter((row) => row.broken > 0).map(({ segment }) => segment);
  const causes = plan.withPredecessors(broken.filter((segment) => whole.includes(segment)));
  return broken.filter((segment) => causes.includes(segment));
}

/** Its only task is missing if any is. */
const runsOnce = (run: LockedRun, segment: number): boolean => run.plan.segment(segment).scope === null;

/**
 * A parameter takes whatever its sources have, so it is unfilled only if none of them has a result. A source inside the same
 * scope, or one that is gathered, always counts as having one: its missing children are handled individually.
 */
function findUnfilledParams(run: LockedRun, { steps, scope }: Segment, withoutResult: Set<number>): number[] {
  if (withoutResult.size === 0) return [];
  const split = scope === null ? null : run.plan.splitSegmentOf(scope);
  if (split !== null && withoutResult.has(split)) return [split];
  const inputs = run.plan.step(steps[0] ?? -1).inputs;
  const unfilled = new Set<number>();
  for (const sources of Map.groupBy(inputs, ({ param }) => param).values()) {
    const missing = sources.flatMap((input) => findMissingSource(run, input, withoutResult) ?? []);
    if (missing.length === sources.length) for (const source of missing) unfilled.add(source);
  }
  return [...unfilled];
}

/** The segment of the input's source, if it has no result. */
function findMissingSource(run: LockedRun, { binding }: StepInput, withoutResult: Set<number>): number | null {
  if (binding.from !== 'step' || binding.gather) return null;
  const { segment } = run.plan.step(binding.step);
  return withoutResult.has(segment) ? segment : null;
}
