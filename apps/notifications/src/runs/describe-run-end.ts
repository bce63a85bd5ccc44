import type { Payload } from '@millrace/contracts/kit/event';
import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { runFinished } from '@millrace/contracts/runs/runs';
import type { NotificationContent } from '../feed/insert-notifications.js';

type RunEnd = Payload<typeof runFinished>;

/**
 * Describes the end of a run for a notification.
 * @param authorName for recipients other than the author: name of the author, null if they have left the vault
 * @param stopperName name of the user who stopped the run; null if they have left the vault
 * @returns null if the author stopped the run, who then needs no notification
 */
export function describeRunEnd(
  run: RunEnd,
  authorName?: string | null,
  stopperName: string | null = null,
): NotificationContent | null {
  const type = typeOf(run);
  if (!type) return null;
  const { end, after } = phrasesOf(run, stopperName ?? FORMER_MEMBER);
  const reason = run.status === 'FAILED' && run.error ? `: ${run.error}` : '';
  const owner = authorName === undefined ? '' : ` (run of ${authorName ?? FORMER_MEMBER})`;
  return {
    type,
    title: `${run.workflowName} ${end}${owner}`,
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

const FORMER_MEMBER = 'a former member';

/** For the author, such a stop is as unexpected as a failure. */
export const isStoppedByOther = (run: RunEnd): run is RunEnd & { stoppedBy: string } =>
  run.status === 'STOPPED' && run.stoppedBy !== undefined && run.stoppedBy !== run.author;

function phrasesOf({ status }: RunEnd, stopperName: string): { end: string; after: string } {
  if (status === 'COMPLETED') return { end: 'completed', after: 'in' };
  return { end: status === 'FAILED' ? 'failed' : `was stopped by ${stopperName}`, after: 'after' };
}

function typeOf(run: RunEnd): NotificationType | null {
  const { status, creationType } = run;
  if (status === 'FAILED' || isStoppedByOther(run)) return 'RUN_FAILED';
  if (status !== 'COMPLETED') return null;
  return creationType === 'SCHEDULED' ? 'SCHEDULED_RUN_COMPLETED' : 'MANUAL_RUN_COMPLETED';
}
