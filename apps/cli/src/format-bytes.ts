const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size: `999 B`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? size.toFixed(0) : size.toFixed(1)} ${UNITS[unit]}`;
}
