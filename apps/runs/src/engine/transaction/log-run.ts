import type { Logger } from '@nestjs/common';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import type { LockedRun } from './locked-run.js';

/**
 * Logs the start and the end of a run at level info, and other changes of its status at level debug. Both lines have the
 * request and the trace that created the run, which ended long before.
 */
export function logRun(logger: Pick<Logger, 'log' | 'debug'>, run: LockedRun): void {
  const { id, status, row, startedAt, finishedAt, error } = run;
  const traceId = row.traceparent?.split('-')[1];
  const fields = {
    ...{ runId: String(id), vault: row.vaultId, workflow: row.workflowId },
    ...(row.requestId !== null && { requestId: row.requestId }),
    ...(traceId !== undefined && { traceId }),
  };
  if (row.startedAt === null && startedAt !== null) logger.log({ message: 'Run started', ...fields });
  if (status === row.status) return;
  if (!isFinalRun(status)) {
    logger.debug({ message: 'Run status changed', ...fields, from: row.status, status });
    return;
  }
  const durationMs = startedAt && finishedAt ? Math.max(0, finishedAt.getTime() - startedAt.getTime()) : 0;
  logger.log({ message: 'Run finished', ...fields, from: row.status, status, durationMs, hasError: error !== null });
}
