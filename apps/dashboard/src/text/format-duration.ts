const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const pad = (value: number): string => String(value).padStart(2, '0');

/** A duration with two units at most: `340 ms`, `1.2 s`, `42 s`, `3 min 05 s`, `2 h 07 min`, `4 d 11 h`. */
export function formatDuration(ms: number): string {
  const duration = Math.max(0, ms);
  if (duration < 999.5) return `${Math.round(duration)} ms`;
  if (duration < 9_950) return `${(duration / 1000).toFixed(1)} s`;
  const seconds = Math.round(duration / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  const minutes = Math.round(duration / MINUTE_MS);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  const hours = Math.round(duration / HOUR_MS);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago or ahead a time is, in its largest unit: `just now`, `5 minutes ago`, `in 2 hours`, `yesterday`. */
export function formatRelative(time: Date, now: number): string {
  const difference = time.getTime() - now;
  const distance = Math.abs(difference);
  if (distance < 45_000) return difference > 5_000 ? 'in a moment' : 'just now';
  if (distance < 45 * MINUTE_MS) return RELATIVE.format(Math.round(difference / MINUTE_MS), 'minute');
  if (distance < 22 * HOUR_MS) return RELATIVE.format(Math.round(difference / HOUR_MS), 'hour');
  if (distance < 26 * DAY_MS) return RELATIVE.format(Math.round(difference / DAY_MS), 'day');
  if (distance < 320 * DAY_MS) return RELATIVE.format(Math.round(difference / (30.4 * DAY_MS)), 'month');
  return RELATIVE.format(Math.round(difference / (365.25 * DAY_MS)), 'year');
}

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the reader's language and time zone, to the second. */
export const formatExact = (time: Date): string => EXACT.format(time);
