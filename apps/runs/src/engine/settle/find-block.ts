import type { Segment, StepInput } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** Why no task of a segment can run: a segment that it needs as a whole has no result. */
export interface Block {
  /** That segment. */
  cause: number;
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
  const rows = await tx.$queryRaw<Source[]>`
    SELECT segment, (total IS NULL OR settled < total) AS "isOpen", broken, missing FROM runs.segment
    WHERE run_id = ${run.id} AND segment = ANY(${whole}::int[]) ORDER BY segment`;
  const broken = rows.find((row) => row.broken > 0);
  if (broken) return { cause: broken.segment, outcome: 'BROKEN' };
  if (rows.some(({ isOpen }) => isOpen)) return null;
  const missing = rows.filter((row) => row.missing > 0 && runsOnce(run, row.segment));
  const withoutResult = new Set(missing.map(({ segment: index }) => index));
  const cause = findUnfilledParam(run, segment, withoutResult);
  return cause === null ? null : { cause, outcome: 'MISSING' };
}

/** Its only task is missing if any is. */
const runsOnce = (run: LockedRun, segment: number): boolean => run.plan.segment(segment).scope === null;

/**
 * A parameter takes whatever its sources have, so it is unfilled only if none of them has a result. A source inside the same
 * scope, or one that is gathered, always counts as having one: its missing children are handled individually.
 */
function findUnfilledParam(run: LockedRun, { steps, scope }: Segment, withoutResult: Set<number>): number | null {
  if (withoutResult.size === 0) return null;
  const split = scope === null ? null : run.plan.splitSegmentOf(scope);
  if (split !== null && withoutResult.has(split)) return split;
  const inputs = run.plan.step(steps[0] ?? -1).inputs;
  for (const sources of Map.groupBy(inputs, ({ param }) => param).values()) {
    const missing = sources.map((input) => findMissingSource(run, input, withoutResult));
    const [first] = missing;
    if (first !== undefined && first !== null && !missing.includes(null)) return first;
  }
  return null;
}

/** The segment of the input's source, if it has no result. */
function findMissingSource(run: LockedRun, { binding }: StepInput, withoutResult: Set<number>): number | null {
  if (binding.from !== 'step' || binding.gather) return null;
  const { segment } = run.plan.step(binding.step);
  return withoutResult.has(segment) ? segment : null;
}
