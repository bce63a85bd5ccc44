import type { Cursor } from '@millrace/query/compile/compile-page';
import { CursorError, decodeCursor, encodeCursor } from '@millrace/query/compile/encode-cursor';
import type { Order } from '@millrace/query/fields/field';

/** The position of a row in a query on several tables: the index of its table, and the cursor within that table. */
export interface UnionCursor {
  table: number;
  cursor: Cursor;
}

const TEXT = /^(\d{1,4})-(.+)$/;

export const encodeUnionCursor = ({ table, cursor }: UnionCursor, scope: string): string =>
  `${table}-${encodeCursor(cursor, scope)}`;

/** @param tables number of queried tables @throws CursorError if the cursor does not come from the same query */
export function decodeUnionCursor(text: string, scope: string, order: Order[], tables: number): UnionCursor {
  const [, number, rest = ''] = TEXT.exec(text) ?? [];
  const table = Number(number);
  if (number === undefined || table >= tables) throw new CursorError();
  return { table, cursor: decodeCursor(rest, scope, order) };
}

/** Every row key is greater than the first and less than the second. */
const BEFORE_ALL_KEYS = '0';
const AFTER_ALL_KEYS = '9223372036854775807';

/**
 * Converts a cursor into one for another table. Rows that are equal in the order come table by table. So the tables
 * before the cursor's have already returned theirs, and the tables after it have not.
 * @param order ends with `_row` if it has `_row` (`cutAfterKey`)
 */
export function toTableCursor(
  table: number,
  { table: cursorTable, cursor }: UnionCursor,
  order: readonly Order[],
  key: string,
): Cursor {
  if (table === cursorTable) return cursor;
  const { values } = cursor;
  const isDone = table < cursorTable;
  const last = order.at(-1);
  if (!last || !isKey(last, key)) {
    const descending = order[0]?.descending ?? false;
    return { values, key: isDone === descending ? BEFORE_ALL_KEYS : AFTER_ALL_KEYS };
  }
  const row = BigInt(values.at(-1) ?? 0);
  if (isDone) return { values, key: String(row) };
  return { values, key: String(last.descending ? row + 1n : row - 1n) };
}

/** Cuts an order after the row key. Keys are unique, so later columns do not change the order within a table. */
export function cutAfterKey(order: Order[], key: string): Order[] {
  const at = order.findIndex((item) => isKey(item, key));
  return at === -1 ? order : order.slice(0, at + 1);
}

const isKey = ({ field }: Order, key: string): boolean => field.path === undefined && field.column.sql === key;
