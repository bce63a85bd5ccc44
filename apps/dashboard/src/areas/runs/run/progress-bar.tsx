import type { Run } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { HUE_SOLID, HUE_TEXT } from '../../../ui/status-looks.js';
import { useRunInsights } from '../live/use-run-insights.js';
import { runDuration } from '../shared/run-duration.js';
import { paceOf, progressOf } from './run-progress.js';

/** How many subjobs of a run have ended, by status, with the rate and the estimated end. */
export function ProgressBar({ run, now }: { run: Run; now: number }) {
  const insights = useRunInsights(run);
  const progress = progressOf(insights);
  // A person decides at an unknown time.
  const isWaiting = run.paused || run.waiting_for?.some(({ reason }) => reason === 'approval');
  const pace = run.finished || isWaiting ? undefined : paceOf(progress, runDuration(run, now) ?? 0);
  const parts = [
    { name: 'succeeded', count: insights.succeeded, hue: 'succeeded' },
    { name: 'failed', count: insights.failed, hue: 'failed' },
    { name: 'skipped', count: insights.skipped, hue: 'stopped' },
    { name: 'stopped', count: insights.stopped + insights.stopping, hue: 'stopped' },
    { name: 'running', count: insights.running, hue: 'running' },
    { name: 'queued', count: insights.pending, hue: 'queued' },
  ] as const;
  return (
    <div className="px-6 pb-3 max-sm:px-4">
      <div className="flex h-1.5 gap-px overflow-hidden rounded-full bg-pressed" aria-hidden>
        {parts
          .filter(({ name, count }) => count > 0 && name !== 'queued')
          .map(({ name, count, hue }) => (
            <span key={name} className={HUE_SOLID[hue]} style={{ width: `${(count / insights.total) * 100}%` }} />
          ))}
      </div>
      <p className="nums mt-1.5 flex flex-wrap gap-x-4 text-xs text-muted">
        <span className="text-ink">
          {formatCount(progress.done)} of {formatCount(progress.total)} done
        </span>
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count, hue }) => (
            <span key={name} className={HUE_TEXT[hue]}>
              {formatCount(count)} {name}
            </span>
          ))}
        {pace && (
          <span>
            {formatRate(pace.rate)} · about {formatDuration(pace.remainingMs)} left
          </span>
        )}
      </p>
    </div>
  );
}

const formatRate = (rate: number): string =>
  rate >= 1 ? `${rate.toFixed(rate < 10 ? 1 : 0)} per second` : `${(rate * 60).toFixed(1)} per minute`;
