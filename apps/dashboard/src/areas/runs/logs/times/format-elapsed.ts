const pad = (value: number): string => String(value).padStart(2, '0');

/** Time since the start of an attempt, of which only one part changes from line to line: `+1.25 s`, `+3:05.20`, `+2:07:05`. */
export function formatElapsed(ms: number): string {
  const hundredths = Math.round(ms / 10);
  const seconds = Math.floor(hundredths / 100);
  const fraction = pad(hundredths % 100);
  if (seconds < 60) return `+${seconds}.${fraction} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `+${minutes}:${pad(seconds % 60)}.${fraction}`;
  return `+${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  ...{ dateStyle: undefined, year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 2 },
});

/** A time of the reader's clock, to hundredths of a second. */
export const formatClock = (time: number): string => CLOCK.format(time);
