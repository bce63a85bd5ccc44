import type { ColumnType } from '../fields/column.js';
import { formatDecimal } from '../parse/read-number.js';

const INTEGER = /^-?\d+$/;
const MAYBE_UNSAFE = /\d{16}/;

/**
 * What stands in JSON for a value as a page carries it. A bigint beyond 2^53 is a string of its digits, since a JSON
 * number that large is read wrong by most, and so are those whole numbers inside of json that come out of a double with other digits.
 * Dates are RFC 3339 in UTC with milliseconds, or with microseconds where there are any.
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
      return MAYBE_UNSAFE.test(text) ? (JSON.parse(text, keepDigits) as unknown) : (JSON.parse(text) as unknown);
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

/** The source text comes with the value since V8 11.4 (JSON.parse source text access, ECMAScript 2026). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || !INTEGER.test(source)) return value;
  return formatDecimal(value) === source ? value : source;
}
