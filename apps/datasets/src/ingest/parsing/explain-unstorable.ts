import { isStorable, isTooDeep, parseJson } from './parse-json.js';
import type { RawRow } from './raw-row.js';

/** As JSON may write what Postgres cannot hold. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])/;

/** Why a row cannot be kept, whatever columns there are; null where it can. */
export function explainUnstorable({ text, values }: RawRow, cells: boolean): string | null {
  if (!text.isWellFormed()) return 'is not valid UTF-8';
  if (text.includes('\0')) return 'holds a NUL character';
  if (!SUSPICIOUS.test(text)) return null;
  return values.every((value) => isStorable(cells ? parseCell(value) : value))
    ? null
    : 'holds a NUL character or half of a surrogate pair';
}

/** What a cell stands for, if it is JSON. */
function parseCell(value: unknown): unknown {
  try {
    const json = typeof value === 'string' && /^[[{]/.test(value) ? parseJson(value) : value;
    // Is kept as text, then.
    return isTooDeep(json) ? value : json;
  } catch {
    return value;
  }
}
