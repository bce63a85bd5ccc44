import type { Cursor } from '@millrace/query/compile/compile-page';
import { CursorError, decodeCursor, encodeCursor } from '@millrace/query/compile/encode-cursor';
import type { Order } from '@millrace/query/fields/field';

/** The place of a row among those of several tables: which of them it is in, and where it is there. */
export interface UnionCursor {
  table: number;
  place: Cursor;
}

const TEXT = /^(\d{1,4})-(.+)$/;

export const encodeUnionCursor = ({ table, place }: UnionCursor, of: string): string =>
  `${table}-${encodeCursor(place, of)}`;

/** @param tables how many there are @throws CursorError where it is of another query, or was not given at all */
export function decodeUnionCursor(text: string, of: string, order: Order[], tables: number): UnionCursor {
  const [, number, rest = ''] = TEXT.exec(text) ?? [];
  const table = Number(number);
  if (number === undefined || table >= tables) throw new CursorError();
  return { table, place: decodeCursor(rest, of, order) };
}

/** Keys of rows are above the first and below the second. */
const LEAST = '0';
const GREATEST = '9223372036854775807';

/**
 * The same place as another table sees it: rows that are equal in the order come table by table, so of the tables before
 * the cursor's they are done, and of those after it they are to come.
 * @param order that ends with `_row` where it has that (`untilKey`)
 */
export function toTableCursor(
  table: number,
  { table: at, place }: UnionCursor,
  order: readonly Order[],
  key: string,
): Cursor {
  if (table === at) return place;
  const { values } = place;
  const isDone = table < at;
  const last = order.at(-1);
  if (!last || !isKey(last, key)) {
    const descending = order[0]?.descending ?? false;
    return { values, key: isDone === descending ? LEAST : GREATEST };
  }
  const row = BigInt(values.at(-1) ?? 0);
  if (isDone) return { values, key: String(row) };
  return { values, key: String(last.descending ? row + 1n : row - 1n) };
}

/** An order up to the number of the row, behind which a table has nothing to be ordered. */
export function cutAfterKey(order: Order[], key: string): Order[] {
  const at = order.findIndex((one) => isKey(one, key));
  return at === -1 ? order : order.slice(0, at + 1);
}

const isKey = ({ field }: Order, key: string): boolean => field.path === undefined && field.column.sql === key;
