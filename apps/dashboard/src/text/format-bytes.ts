const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A size with three significant digits, in powers of 1,000: `0 B`, `999 B`, `3.4 MB`, `120 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
