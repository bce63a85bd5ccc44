import type { Payload } from '@millrace/contracts/kit/event';
import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { Said } from '../feed/insert-notifications.js';

type RunEnd = Payload<typeof runFinished>;

/**
 * What is told of a run's end. Null where its author stopped it, and saw that it stopped.
 * @param by name of its author, where somebody else is told; null where that is not known
 * @param stopper name of who stopped it; null where that is not known
 */
export function describeRunEnd(run: RunEnd, by?: string | null, stopper: string | null = null): Said | null {
  const type = typeOf(run);
  if (!type) return null;
  const { end, after } = wordsOf(run, stopper ?? NOBODY);
  const reason = run.status === 'FAILED' && run.error ? `: ${run.error}` : '';
  const whose = by === undefined ? '' : ` (run of ${by ?? NOBODY})`;
  return {
    type,
    title: `${run.workflowName} ${end}${whose}`,
    message: `Run "${run.name}" of ${run.workflowName} ${end} ${after} ${formatDuration(run.durationMs)}${reason}`,
    metadata: {
      run: run.run,
      workflow: run.workflow,
      space: run.space,
      status: run.status,
      creation_type: run.creationType,
      duration_ms: run.durationMs,
      finished_at: run.finishedAt,
      ...(run.failures && { failures: run.failures, failed_nodes: run.failedNodes ?? run.failures.length }),
      ...(isStoppedByOther(run) && { stopped_by: run.stoppedBy }),
    },
  };
}

const NOBODY = 'somebody who left';

/** To its author that is as bad as a failure, and as unexpected. */
export const isStoppedByOther = (run: RunEnd): run is RunEnd & { stoppedBy: string } =>
  run.status === 'STOPPED' && run.stoppedBy !== undefined && run.stoppedBy !== run.author;

function wordsOf({ status }: RunEnd, stopper: string): { end: string; after: string } {
  if (status === 'COMPLETED') return { end: 'completed', after: 'in' };
  return { end: status === 'FAILED' ? 'failed' : `was stopped by ${stopper}`, after: 'after' };
}

function typeOf(run: RunEnd): NotificationType | null {
  const { status, creationType } = run;
  if (status === 'FAILED' || isStoppedByOther(run)) return 'RUN_FAILED';
  if (status !== 'COMPLETED') return null;
  return creationType === 'SCHEDULED' ? 'SCHEDULED_RUN_COMPLETED' : 'MANUAL_RUN_COMPLETED';
}
