import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/for-each-yielding';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Gives subjobs that have not begun their final status.
 * @param tasks these of each step; `children` is all of its children, `groups` only the node itself
 * @param message why; null keeps the message that they have
 */
export async function endSubjobs(
  tx: Transaction,
  run: LockedRun,
  steps: number[],
  tasks: number[] | 'children' | 'groups',
  status: Extract<SubjobStatus, 'SKIPPED' | 'STOPPED'>,
  message: string | null = null,
): Promise<void> {
  const shown = steps.map((step) => run.plan.subjobOf(step, 0).step);
  const [least, most] = tasks === 'groups' ? [0, 0] : tasks === 'children' ? [1, 2 ** 31 - 1] : [0, 2 ** 31 - 1];
  const listed = typeof tasks === 'string' ? null : tasks;
  const ended = await tx.$queryRaw<{ id: bigint; step: number; task: number; taskCount: number | null }[]>`
    UPDATE runs.subjob SET status = ${status}, finished_at = ${run.now}, message = coalesce(${message}, message)
    WHERE run_id = ${run.id} AND step = ANY(${shown}::int[]) AND task BETWEEN ${least} AND ${most}
      AND (${listed}::int[] IS NULL OR task = ANY(${listed ?? []}::int[])) AND status = 'PENDING'
    RETURNING id, step, task, task_count AS "taskCount"`;
  await forEachYielding(ended, (subjob) => run.move(subjob, 'PENDING', status));
}
