import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import type { LockedRun } from '../transaction/locked-run.js';

const MAX_INT = 2 ** 31 - 1;

/** Range of the column `task`: 0 is the node itself, children are numbered from 1. */
const RANGES = { groups: [0, 0], children: [1, MAX_INT], all: [0, MAX_INT] } as const;

/**
 * Gives subjobs that have not started their final status.
 * @param tasks indexes of tasks of each step; `children` means all children, `groups` only the node itself
 * @param message why; null keeps the current message
 */
export async function endSubjobs(
  tx: Transaction,
  run: LockedRun,
  steps: number[],
  tasks: number[] | 'children' | 'groups',
  status: Extract<SubjobStatus, 'SKIPPED' | 'STOPPED'>,
  message: string | null = null,
): Promise<void> {
  const visibleSteps = steps.map((step) => run.plan.subjobOf(step, 0).step);
  const [first, last] = RANGES[typeof tasks === 'string' ? tasks : 'all'];
  const indexes = typeof tasks === 'string' ? null : tasks;
  const ended = await tx.$queryRaw<{ id: bigint; step: number; task: number; taskCount: number | null }[]>`
    UPDATE runs.subjob SET status = ${status}, finished_at = ${run.now}, message = coalesce(${message}, message)
    WHERE run_id = ${run.id} AND step = ANY(${visibleSteps}::int[]) AND task BETWEEN ${first} AND ${last}
      AND (${indexes}::int[] IS NULL OR task = ANY(${indexes ?? []}::int[])) AND status = 'PENDING'
    RETURNING id, step, task, task_count AS "taskCount"`;
  await forEachYielding(ended, (subjob) => run.recordTransition(subjob, 'PENDING', status));
}

/** The message of subjobs that one node causes to be skipped. */
export const skippedBecause = (node: string, status: 'FAILED' | 'STOPPED'): string =>
  `skipped: ${node} ${status === 'FAILED' ? 'failed' : 'was stopped'}`;

/** The start of the message of a subjob whose own condition is false. */
const OWN_CONDITION = /^(skipped: )its condition(?= is false)/;

/**
 * Finds the message for subjobs that are skipped because these tasks of a segment did not succeed. It names the node that
 * failed, even if the segment itself was skipped because of that node.
 * @param tasks 0 is the node itself, or its task group. Do not pass all children: a scan of 100,000 for each batch is too slow.
 */
export async function findSkipReason(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  tasks: readonly number[],
): Promise<string | null> {
  const steps = run.plan.segment(segment).steps.map((step) => run.plan.subjobOf(step, 0).step);
  const [cause] = await tx.$queryRaw<{ node: string; status: SubjobStatus; message: string | null }[]>`
    SELECT node, status, message FROM runs.subjob
    WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = ANY(${[...tasks]}::int[])
      AND status IN ('FAILED', 'STOPPED', 'SKIPPED')
    ORDER BY array_position(ARRAY['FAILED', 'STOPPED', 'SKIPPED'], status), step, task LIMIT 1`;
  if (!cause) return null;
  return cause.status === 'FAILED' || cause.status === 'STOPPED'
    ? skippedBecause(cause.node, cause.status)
    : (cause.message?.replace(OWN_CONDITION, `$1the condition of ${cause.node}`) ?? null);
}
