const UNITS = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 } as const;
const NAMES = Object.keys(UNITS) as (keyof typeof UNITS)[];

/** Reads a size such as `10 GB`, `1.5TB` or `5000`, which is in bytes. @returns undefined if it is none, or no whole number of bytes */
export function parseBytes(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?b)?\s*$/i.exec(text);
  if (!match) return undefined;
  const unit = NAMES.find((name) => name.toLowerCase() === match[2]?.toLowerCase()) ?? 'B';
  // 1.1 GB is 1,100,000,000.0000001 in binary.
  const bytes = Math.round(Number(match[1]) * UNITS[unit] * 1000) / 1000;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Writes a size so that `parseBytes` reads the same number: in the largest unit that needs no more than one decimal. */
export function writeBytes(bytes: number): string {
  const unit = NAMES.findLast((name) => bytes >= UNITS[name] && (10 * bytes) % UNITS[name] === 0) ?? 'B';
  return `${bytes / UNITS[unit]} ${unit}`;
}
