import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { describeFailedChildren } from './describe-failed-children.js';

/** A task group has the status of its worst child. Without children it succeeds. */
function statusOf(children: ReadonlySet<string>): SubjobStatus {
  if (children.has('FAILED')) return 'FAILED';
  if (children.has('STOPPED')) return 'STOPPED';
  return children.has('SKIPPED') ? 'SKIPPED' : 'SUCCEEDED';
}

/** Gives the task groups of a complete segment their final status. */
export async function finishGroups(tx: Transaction, run: LockedRun, segment: number): Promise<void> {
  const { scope, steps } = run.plan.segment(segment);
  if (scope === null) return;
  const groups = await tx.$queryRaw<
    {
      id: bigint;
      step: number;
      task: number;
      taskCount: number | null;
      status: SubjobStatus;
      children: string[] | null;
      message: string | null;
    }[]
  >`
    SELECT g.id, g.step, g.task, g.task_count AS "taskCount", g.status,
      array_agg(DISTINCT c.status) FILTER (WHERE c.status IS NOT NULL) AS children,
      min(c.message) FILTER (WHERE c.status = 'SKIPPED') AS message
    FROM runs.subjob g LEFT JOIN runs.subjob c ON c.run_id = g.run_id AND c.step = g.step AND c.task > 0
    WHERE g.run_id = ${run.id} AND g.step = ANY(${steps}::int[]) AND g.task = 0
    GROUP BY g.id, g.step, g.task, g.task_count, g.status`;
  for (const group of groups) {
    if (isFinalSubjob(group.status)) continue;
    const status = statusOf(new Set(group.children ?? []));
    const message = await describeGroup(tx, run, { ...group, status });
    await tx.$executeRaw`
      UPDATE runs.subjob SET status = ${status}, started_at = coalesce(started_at, ${run.now}), finished_at = ${run.now},
        task_count = coalesce(task_count, 0), message = coalesce(${message}, message)
      WHERE id = ${group.id}`;
    run.recordTransition(group, group.status, status);
  }
}

async function describeGroup(
  tx: Transaction,
  run: LockedRun,
  group: { step: number; taskCount: number | null; status: SubjobStatus; message: string | null },
): Promise<string | null> {
  if (group.status === 'FAILED') return describeFailedChildren(tx, run, group);
  return group.status === 'SKIPPED' ? group.message : null;
}
