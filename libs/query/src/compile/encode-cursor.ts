import type { ColumnType } from '../fields/column.js';
import type { Order } from '../fields/field.js';
import { readBigint } from '../parse/read-number.js';
import { isRelativeMoment } from '../values/moment.js';
import { readValue } from '../values/read-value.js';
import type { Cursor } from './compile-page.js';

/** The cursor does not belong to this query. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor() {
    super('is not a cursor of this query; omit it to read the first page');
  }
}

/**
 * Encodes a position in a list as text for a URL (base64url of JSON).
 * @param of identifies the list: the table, `q` and `order`. `decodeCursor` requires the same value.
 */
export function encodeCursor({ values, key }: Cursor, of: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify([hashOf(of), key, ...values]));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Decodes a cursor of `encodeCursor`. Users can change it, because it is not signed, so each value is checked like a value
 * of a query.
 * @throws CursorError if the cursor is invalid or belongs to another query
 */
export function decodeCursor(text: string, of: string, order: Order[]): Cursor {
  const [hash, key, ...values] = readParts(text);
  if (hash !== hashOf(of) || values.length !== order.length) throw new CursorError();
  if (typeof key !== 'string' || readBigint(key) === null) throw new CursorError();
  return { key, values: values.map((value, at) => readPlace(value, order[at]!.field.column.type)) };
}

function readParts(text: string): unknown[] {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (Array.isArray(parts)) return parts;
  } catch {
    // Not base64, UTF-8 or JSON: the client gets the same error for each.
  }
  throw new CursorError();
}

function readPlace(value: unknown, type: ColumnType): string | null {
  if (value === null) return null;
  if (typeof value !== 'string' || !isOfType(value, type)) throw new CursorError();
  return value;
}

function isOfType(text: string, type: ColumnType): boolean {
  if (type === 'json') return isStorableJson(text);
  if (type === 'text') return text.isWellFormed() && !text.includes('\0');
  if (type === 'timestamp' && isRelativeMoment(text)) return false;
  return readValue({ text, quoted: true }, type, new Date(0)) !== null;
}

/** FNV-1a with 64 bits. It distinguishes queries and is not cryptographic. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}

/** Postgres would exceed its stack at some thousands of levels. */
const MAX_DEPTH = 500;

/** Whether Postgres accepts a text as jsonb: JSON without NUL and lone surrogates, whose numbers a double can represent. */
function isStorableJson(text: string): boolean {
  try {
    return isStorable(JSON.parse(text), 0);
  } catch {
    return false;
  }
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([key, inner]) => isStorable(key, depth) && isStorable(inner, depth + 1));
}
