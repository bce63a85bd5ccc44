import type { Payload } from '@millrace/contracts/kit/event';
import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import type { runFinished } from '@millrace/contracts/runs/runs';
import { formatDuration } from '@millrace/service/format-duration';
import type { Said } from './feed/insert-notifications.js';

type RunEnd = Payload<typeof runFinished>;

/**
 * What is told of a run's end. Null for a stopped run: a person stopped it and saw that it stopped, and to call it
 * completed or failed would be untrue.
 * @param by name of its author, where somebody else is told; null where that is not known
 */
export function describeRunEnd(run: RunEnd, by?: string | null): Said | null {
  const type = typeOf(run);
  if (!type) return null;
  const hasFailed = type === 'RUN_FAILED';
  const outcome = hasFailed ? 'failed after' : 'completed in';
  const reason = hasFailed && run.error ? `: ${run.error}` : '';
  const whose = by === undefined ? '' : ` (run of ${by ?? 'somebody who left'})`;
  return {
    type,
    title: `${run.workflowName} ${hasFailed ? 'failed' : 'completed'}${whose}`,
    message: `Run "${run.name}" of ${run.workflowName} ${outcome} ${formatDuration(run.durationMs)}${reason}`,
    metadata: {
      run: run.run,
      workflow: run.workflow,
      space: run.space,
      status: run.status,
      creation_type: run.creationType,
      duration_ms: run.durationMs,
      finished_at: run.finishedAt,
    },
  };
}

function typeOf({ status, creationType }: RunEnd): NotificationType | null {
  if (status === 'FAILED') return 'RUN_FAILED';
  if (status !== 'COMPLETED') return null;
  return creationType === 'SCHEDULED' ? 'SCHEDULED_RUN_COMPLETED' : 'MANUAL_RUN_COMPLETED';
}
