import { createStore, useStore } from '../store/create-store.js';
import { formatExact, formatRelative } from '../text/format-duration.js';

const UPDATE_INTERVAL_MS = 20_000;

/** One clock for all times of the page. */
const clock = createStore(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') clock.set(Date.now());
}, UPDATE_INTERVAL_MS);

/** How long ago a time is, with the exact time on hover. */
export function Time({ value, className = '' }: { value: string; className?: string }) {
  const now = useStore(clock);
  const time = new Date(value);
  return (
    <time dateTime={value} title={formatExact(time)} className={`whitespace-nowrap ${className}`}>
      {formatRelative(time, Math.max(now, Date.now()))}
    </time>
  );
}
