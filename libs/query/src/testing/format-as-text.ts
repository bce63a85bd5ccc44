import type { ColumnType } from '../fields/column.js';
import { formatDecimal } from '../parse/read-number.js';

/** Formats a value as Postgres does (see `textSql`). */
export function formatAsText(type: ColumnType, value: unknown): string {
  if (type === 'double') return formatDouble(Number(value));
  if (type === 'json' && typeof value !== 'string') return formatJson(value);
  return String(value);
}

/** As `float8out`: the shortest digits that represent the number, with an exponent below 1e-4 and from 1e15. */
function formatDouble(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 15) return formatDecimal(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** As `jsonb_out`: a space after colon and comma, keys sorted by their length in bytes and then by their bytes. */
function formatJson(value: unknown): string {
  if (typeof value === 'number') return formatDecimal(value + 0);
  if (Array.isArray(value)) return `[${value.map(formatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Record<string, unknown>).map(([key, inner]) => ({
    key,
    bytes: new TextEncoder().encode(key),
    inner,
  }));
  entries.sort((one, other) => one.bytes.length - other.bytes.length || compareBytes(one.bytes, other.bytes));
  return `{${entries.map(({ key, inner }) => `${JSON.stringify(key)}: ${formatJson(inner)}`).join(', ')}}`;
}

/** Compares by code point, which is the order of UTF-8 bytes. JavaScript compares UTF-16 code units. */
export const compareText = (one: string, other: string): number =>
  compareBytes(new TextEncoder().encode(one), new TextEncoder().encode(other));

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at += 1) if (one[at] !== other[at]) return one[at]! - other[at]!;
  return one.length - other.length;
}
