import type { ColumnType } from '../fields/column.js';
import { formatDecimal } from '../parse/read-number.js';

const INTEGER = /^-?\d+$/;
const MAYBE_UNSAFE = /\d{16}/;

/**
 * Converts the text of a value in a page to its JSON value. A bigint beyond 2^53 becomes a string of its digits, because most
 * JSON parsers lose digits of such numbers. The same applies to whole numbers inside json that a double cannot represent.
 * Dates are in RFC 3339 and UTC with milliseconds, or with microseconds if they are not 0.
 */
export function readField(type: ColumnType, text: string | null): unknown {
  if (text === null) return null;
  switch (type) {
    case 'bigint':
      return readInteger(text);
    case 'double':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'timestamp':
      return readTimestamp(text);
    case 'json':
      return MAYBE_UNSAFE.test(text) ? (JSON.parse(text, preserveDigits) as unknown) : (JSON.parse(text) as unknown);
    default:
      return text;
  }
}

function readInteger(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** From `2026-01-31 12:00:00.5Z`. */
function readTimestamp(text: string): string {
  const fraction = text.slice(20, -1);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

/** V8 provides the source text of a value since version 11.4 (JSON.parse source text access, ECMAScript 2026). */
function preserveDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !INTEGER.test(source)) return value;
  return formatDecimal(value) === source ? value : source;
}
