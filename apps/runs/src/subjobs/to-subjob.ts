import type { Result } from '@millrace/contracts/kit/operation';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { listSubjobs } from '@millrace/contracts/runs/subjobs';
import type { Subjob } from '@millrace/persistence/generated/client';

export type SubjobRecord = Result<typeof listSubjobs>['results'][number];

/** @param maxAttempts attempts that it may have, including lost ones */
export function toSubjob(row: Subjob, maxAttempts: number): SubjobRecord {
  const status = row.status as SubjobStatus;
  const end = row.finishedAt ?? (row.startedAt && !isFinalSubjob(status) ? new Date() : null);
  return {
    id: String(row.id),
    run: String(row.runId),
    node: row.node,
    label: row.label,
    status,
    ...(row.message !== null && { message: row.message }),
    ...(row.parentId !== null && { task_group: String(row.parentId) }),
    ...(row.task > 0 && { task_index: row.task }),
    ...(row.taskCount !== null && { task_count: row.taskCount }),
    attempt: row.attempt,
    max_attempts: Math.max(row.attempt, maxAttempts),
    ...(row.exitCode !== null && { exit_code: row.exitCode }),
    params: (row.params ?? {}) as Record<string, string | boolean>,
    outputs_status: row.outputs ? 'SAVED' : isFinalSubjob(status) ? 'NONE' : 'PENDING',
    ...(row.worker !== null && { worker: row.worker }),
    cached: row.cachedFrom !== null,
    ...(row.cachedFrom !== null && { cached_from: String(row.cachedFrom) }),
    ...(row.startedAt && { started_at: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finished_at: row.finishedAt.toISOString() }),
    ...(row.startedAt && end && { duration_ms: Math.max(0, end.getTime() - row.startedAt.getTime()) }),
    ...(row.maxRss !== null && { max_rss_bytes: Number(row.maxRss) }),
    ...(row.cpuMs !== null && { cpu_ms: Math.ceil(row.cpuMs) }),
    execution_units: Number(row.executionUnits),
  };
}
