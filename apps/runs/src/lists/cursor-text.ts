import { ValidationError } from '@millrace/contracts/kit/api-error';
import { isId } from '@millrace/persistence/ids';
import type { KeyColumn, KeyValue } from './after-key.js';
import { decodeParts, encodeParts } from './cursor-parts.js';

/** Where a page begins. */
interface Place {
  /** Of the list and its filters, because a cursor is of no use for another list. */
  fingerprint: string;
  count: number;
  values: KeyValue[];
}

/** Encodes the place after the last record of a page. */
export function writeCursor({ fingerprint, count, values }: Place): string {
  const parts = values.map((value) => (typeof value === 'bigint' ? String(value) : value));
  return encodeParts([fingerprint, count, ...parts]);
}

/** @throws ValidationError */
export function parseCursor(cursor: string, keys: readonly KeyColumn[]): Place {
  const [fingerprint, count, ...parts] = decodeParts(cursor) ?? [];
  if (typeof fingerprint !== 'string' || !isCount(count) || parts.length !== keys.length) throw invalidCursor();
  return { fingerprint, count, values: keys.map((key, n) => parseValue(key, parts[n])) };
}

export const invalidCursor = (): ValidationError =>
  new ValidationError({
    'query.cursor':
      'must be the `cursor` of the previous page, with the same filters and ordering; without it, the first page is returned',
  });

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Clients can send anything, and Postgres fails on values that a column cannot have. */
function parseValue({ type, isNullable }: KeyColumn, value: unknown): KeyValue {
  if (value === null && isNullable) return null;
  if (type === 'number' && Number.isInteger(value) && Math.abs(value as number) < 2 ** 31) return value as number;
  if (typeof value !== 'string') throw invalidCursor();
  if (type === 'bigint' && /^\d{1,18}$/.test(value)) return BigInt(value);
  if (type === 'text' && !value.includes('\0')) return value;
  if (type === 'uuid' && isId(value)) return value;
  if (type === 'date' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))) return new Date(value);
  throw invalidCursor();
}
