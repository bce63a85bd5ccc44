const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * How long a run or a step of it took, as people read it: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 0 min`, two units at most. Less
 * than nothing, where a clock was set back, is nothing. Mails, pages and the command line say it alike.
 */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`;
  return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
}
