import { type ColumnIndex, indexColumns } from '../fields/column-index.js';
import { type Column } from '../fields/column.js';
import { isSameField, type Order } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { parseList } from './parse-list.js';
import { readReference } from './read-reference.js';
import { takeDirection } from './take-direction.js';
import { type TokenReader } from './token-reader.js';

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
  const { descending, dropped } = takeDirection(reader);
  const { start } = reader.peek();
  const reference = readReference(reader, 'a column', dropped);
  return { field: findField(reference, index, { part: 'order', position: start }), descending };
}
