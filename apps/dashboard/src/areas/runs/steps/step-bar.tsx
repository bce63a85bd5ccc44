import type { Subjob } from '@millrace/client';
import { formatDuration } from '../../../text/format-duration.js';
import { HUE_SOLID, STATUS_LOOKS } from '../../../ui/status-looks.js';
import { barOf, type TimeAxis } from './time-axis.js';

/** The columns of a row: name, counts, duration, bar. */
export const ROW = 'grid h-full grid-cols-[minmax(0,1fr)_auto_4.5rem_minmax(4rem,34%)] items-center gap-2 pr-3 text-sm';

export const indentOf = (depth: number): number => 12 + depth * 16;

/** What a bar is drawn from: a step, or the steps of a module together. */
export type Timed = Pick<Subjob, 'status' | 'started_at' | 'finished_at' | 'duration_ms' | 'cached'>;

export function StepBar({ step, axis }: { step: Timed; axis: TimeAxis }) {
  const bar = barOf(step, axis);
  return (
    <span aria-hidden className="relative h-3 border-x border-line">
      {bar && (
        <span
          className={`absolute inset-y-0 rounded-xs ${HUE_SOLID[STATUS_LOOKS[step.status].hue]} ${step.cached ? 'opacity-50' : ''}`}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        />
      )}
    </span>
  );
}

export function durationText(
  { status, started_at: started, duration_ms: duration, finished_at: finished }: Timed,
  now: number,
): string {
  if (finished !== undefined) return duration === undefined ? '' : formatDuration(duration);
  // A step that waits for its next attempt has started, but is not running.
  return started === undefined || status === 'PENDING' ? '' : formatDuration(now - Date.parse(started));
}
