import type { Result } from '@millrace/contracts/kit/operation';
import type { RunPart } from '@millrace/contracts/runs/run-record';
import type { getRun } from '@millrace/contracts/runs/runs';
import { isFinalRun, type CreationType, type RunStatus } from '@millrace/contracts/runs/statuses';
import type { Run } from '@millrace/persistence/generated/client';

/** The API record of a run, without its inputs and changed parameters, which can be large. */
export function toRun(row: Omit<Run, 'inputs' | 'shownInputs' | 'parameters'>): Result<typeof getRun> {
  const { pending, running, succeeded, failed, stopping, stopped, skipped } = row;
  const status = row.status as RunStatus;
  const end = row.finishedAt ?? (row.startedAt ? new Date() : null);
  return {
    id: String(row.id),
    name: row.name,
    status,
    partial: row.partial,
    has_failures: row.hasFailures,
    creation_type: row.creationType as CreationType,
    workflow_info: row.workflowId,
    workflow_name: row.workflowName,
    workflow_version_info: row.versionId,
    space_info: row.spaceId,
    space_name: row.spaceName,
    ...(row.projectId !== null && { project_info: row.projectId }),
    ...(row.projectName !== null && { project_name: row.projectName }),
    parallelism: row.parallelism,
    priority: row.priority,
    pinned: row.pinned,
    paused: row.pausedAt !== null,
    stalled: row.stalledAt !== null && row.finishedAt === null,
    ...(row.useCache !== null && { use_cache: row.useCache }),
    author: row.author,
    last_change: row.changeSeq,
    created_date: row.createdAt.toISOString(),
    ...(row.startedAt && { started_date: row.startedAt.toISOString() }),
    ...(row.finishedAt && { completed_date: row.finishedAt.toISOString() }),
    finished: isFinalRun(status),
    ...(row.startedAt && end && { duration_ms: Math.max(0, end.getTime() - row.startedAt.getTime()) }),
    run_insights: {
      total: pending + running + succeeded + failed + stopping + stopped + skipped,
      pending,
      running,
      succeeded,
      failed,
      stopping,
      stopped,
      skipped,
    },
    execution_units: Number(row.executionUnits),
    ...(row.parentRun !== null && { parent_run: String(row.parentRun) }),
    ...(row.part !== null && { part: row.part as unknown as RunPart }),
    ...(row.error !== null && { error: row.error }),
  };
}
