import { isStorable, isTooDeep, parseJson } from './parse-json.js';
import type { RawRow } from './raw-row.js';

/** A JSON escape of a character that Postgres cannot store. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** Explains why a row cannot be stored in any columns; null if it can be stored. */
export function explainUnstorable({ text, values }: RawRow, untyped: boolean): string | null {
  if (!text.isWellFormed()) return 'is not valid UTF-8';
  if (text.includes('\0')) return 'contains a NUL character';
  if (!SUSPICIOUS_ESCAPE.test(text)) return null;
  return values.every((value) => isStorable(untyped ? parseCell(value) : value))
    ? null
    : 'contains a NUL character or half of a surrogate pair';
}

/** The value of a CSV cell if it is JSON; otherwise its text. */
function parseCell(value: unknown): unknown {
  try {
    const json = typeof value === 'string' && /^[[{]/.test(value) ? parseJson(value) : value;
    // JSON that is nested too deeply is stored as text.
    return isTooDeep(json) ? value : json;
  } catch {
    return value;
  }
}
