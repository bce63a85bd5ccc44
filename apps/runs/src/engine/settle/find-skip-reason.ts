import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';

/** The message of subjobs that one node causes to be skipped. */
export const skippedBecause = (node: string, status: 'FAILED' | 'STOPPED'): string =>
  `skipped: ${node} ${status === 'FAILED' ? 'failed' : 'was stopped'}`;

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
    : cause.message;
}
