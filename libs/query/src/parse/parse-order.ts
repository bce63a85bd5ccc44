import { type ColumnIndex, indexColumns, type Column } from '../fields/column.js';
import { isSameField, type Order } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { parseList } from './parse-list.js';
import { readReference } from './read-reference.js';
import type { TokenReader } from './token-reader.js';

/**
 * Parses `order`: a comma-separated list of columns or paths, with `-` for descending order. Omits repeated columns, because
 * they do not change the order.
 * @throws QueryError if a column is unknown
 */
export function parseOrder(text: string | undefined, columns: readonly Column[]): Order[] {
  const index = indexColumns(columns);
  const orders = parseList(text, 'order', (reader) => readItem(reader, index));
  return orders.filter(({ field }, at) => orders.findIndex((order) => isSameField(order.field, field)) === at);
}

function readItem(reader: TokenReader, index: ColumnIndex): Order {
  const { descending, skipped } = readDirection(reader);
  const { start } = reader.peek();
  const reference = readReference(reader, 'a column', skipped);
  return { field: findField(reference, index, { part: 'order', position: start }), descending };
}

interface Direction {
  descending: boolean;
  /** Characters of the next word before the name: 1 if the word begins with the sign. */
  skipped: 0 | 1;
}

/** Reads the `-` of an order. An unquoted name cannot begin with it. Before a quoted name it is a separate word. */
export function readDirection(reader: TokenReader): Direction {
  const { kind, text } = reader.peek();
  if (kind !== 'word' || !text.startsWith('-')) return { descending: false, skipped: 0 };
  if (text !== '-') return { descending: true, skipped: 1 };
  reader.next();
  return { descending: true, skipped: 0 };
}
