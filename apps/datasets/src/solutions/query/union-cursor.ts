import type { Cursor } from '@millrace/query/compile-page';
import { CursorError, decodeCursor, encodeCursor } from '@millrace/query/encode-cursor';
import type { Order } from '@millrace/query/field';

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
 * The same place as another table sees it: rows that are equal in the order come table by table, so those of the tables
 * before the cursor's are all behind one, and those of the tables after it before one.
 * @param descending the direction of the keys
 */
export function placeIn(table: number, { table: at, place }: UnionCursor, descending: boolean): Cursor {
  if (table === at) return place;
  const isDone = table < at;
  return { values: place.values, key: isDone === descending ? LEAST : GREATEST };
}
