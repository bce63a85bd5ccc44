import { type ColumnIndex, indexColumns, type Column } from '../fields/column.js';
import { isSameField, type Order } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { parseList } from './parse-list.js';
import { readReference } from './read-reference.js';
import type { TokenReader } from './token-reader.js';

/**
 * Reads `order`: a comma list of columns or paths, each with `-` before it for the other direction. What was named
 * before orders nothing more, and is left out.
 * @throws QueryError where a column is unknown
 */
export function parseOrder(text: string | undefined, columns: readonly Column[]): Order[] {
  const index = indexColumns(columns);
  const orders = parseList(text, 'order', (reader) => readItem(reader, index));
  return orders.filter(({ field }, at) => orders.findIndex((order) => isSameField(order.field, field)) === at);
}

function readItem(reader: TokenReader, index: ColumnIndex): Order {
  const { descending, dropped } = readDirection(reader);
  const { start } = reader.peek();
  const reference = readReference(reader, 'a column', dropped);
  return { field: findField(reference, index, { part: 'order', position: start }), descending };
}

interface Direction {
  descending: boolean;
  /** Characters of the next word that are not part of a name: the sign, where it is glued to one. */
  dropped: 0 | 1;
}

/** Reads the `-` of an order. A bare name does not begin with one; before a quoted name it is a word of its own. */
export function readDirection(reader: TokenReader): Direction {
  const { kind, text } = reader.peek();
  if (kind !== 'word' || !text.startsWith('-')) return { descending: false, dropped: 0 };
  if (text !== '-') return { descending: true, dropped: 1 };
  reader.next();
  return { descending: true, dropped: 0 };
}
