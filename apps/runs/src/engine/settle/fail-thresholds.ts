import type { FailThreshold, Step } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** Whether this many failures of a step, of this many children, are within what its node tolerates. */
export function isTolerated({ onError, failThreshold }: Step, failed: number, total: number): boolean {
  if (failed === 0) return true;
  if (onError === undefined) return false;
  return failThreshold === undefined || failed <= maxFailures(failThreshold, total);
}

/**
 * How a task ends whose step failed. A step that runs once is held against its threshold at once; children are counted when
 * all of them have ended.
 */
export function outcomeOfFailure(step: Step): TaskOutcome {
  const isBeyond = step.scope === null && !isTolerated(step, 1, 1);
  if (step.onError === undefined || isBeyond) return 'BROKEN';
  return step.onError === 'empty' ? 'SUCCEEDED' : 'MISSING';
}

const maxFailures = (threshold: FailThreshold, total: number): number =>
  'count' in threshold ? threshold.count : Math.floor((total * threshold.percent) / 100);

/** The threshold as a message shows it: `10%` or `5`. */
export const showThreshold = (threshold: FailThreshold): string =>
  'count' in threshold ? String(threshold.count) : `${threshold.percent}%`;

/** Failed subjobs of a step. For a step that was split: of its children. */
export interface FailedStep {
  step: number;
  failed: number;
  /** Number of children; 1 for a step that runs once. */
  total: number;
}

/** Counts failed subjobs by step, in one pass over those of the given steps. A task group counts only without children. */
export async function countFailed(tx: Transaction, run: LockedRun, steps: readonly number[]): Promise<FailedStep[]> {
  return tx.$queryRaw<FailedStep[]>`
    SELECT s.step, count(*)::int AS failed, coalesce(max(g.task_count), 1)::int AS total
    FROM runs.subjob s LEFT JOIN runs.subjob g ON g.id = s.parent_id
    WHERE s.run_id = ${run.id} AND s.step = ANY(${[...steps]}::int[]) AND s.status = 'FAILED'
      AND (s.task > 0 OR coalesce(s.task_count, 0) = 0)
    GROUP BY s.step`;
}

/**
 * Breaks a complete segment if more children failed than a node of it tolerates, with the segments that follow it child by child:
 * what gathers from any of them is skipped.
 * @returns whether it is broken now
 */
export async function breakExceeded(tx: Transaction, run: LockedRun, segment: number): Promise<boolean> {
  const steps = run.plan.steps(segment).filter(({ failThreshold, scope }) => failThreshold && scope !== null);
  if (steps.length === 0) return false;
  const counts = await countFailed(
    tx,
    run,
    steps.map(({ index }) => index),
  );
  if (counts.every(({ step, failed, total }) => isTolerated(run.plan.step(step), failed, total))) return false;
  const broken = run.plan.withFollowers([segment]);
  await tx.$executeRaw`
    UPDATE runs.segment SET broken = greatest(broken, 1) WHERE run_id = ${run.id} AND segment = ANY(${broken}::int[])`;
  return true;
}

/** The steps whose failures fail the run. */
export async function findFatalSteps(tx: Transaction, run: LockedRun): Promise<number[]> {
  const visible = run.plan.plan.steps.filter(({ index }) => !run.plan.isHidden(index)).map(({ index }) => index);
  if (!run.plan.isTolerant) return visible;
  const counts = await countFailed(tx, run, visible);
  return counts
    .filter(({ step, failed, total }) => !isTolerated(run.plan.step(step), failed, total))
    .map(({ step }) => step);
}
