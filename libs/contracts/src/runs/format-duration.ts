const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;

/**
 * Formats a duration for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 0 min`; at most two units. A negative duration,
 * after a clock was set back, is 0. Mails, pages and the command line share it.
 */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < SECONDS_PER_MINUTE) return `${seconds} s`;
  if (seconds < SECONDS_PER_HOUR)
    return `${Math.floor(seconds / SECONDS_PER_MINUTE)} min ${seconds % SECONDS_PER_MINUTE} s`;
  return `${Math.floor(seconds / SECONDS_PER_HOUR)} h ${Math.floor((seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE)} min`;
}
