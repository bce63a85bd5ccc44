import type { Run } from '@millrace/client';

type Times = Pick<Run, 'started_date' | 'completed_date' | 'duration_ms'>;

/** How long a run has taken until now; undefined if it has not started. */
export function runDuration(
  { started_date: started, completed_date: ended, duration_ms: duration }: Times,
  now: number,
) {
  if (started === undefined) return undefined;
  if (ended !== undefined) return duration ?? Date.parse(ended) - Date.parse(started);
  return Math.max(0, now - Date.parse(started));
}
