import type { Column } from '@millrace/client';
import { readOrder } from '../query/read-order.js';
import { canFindPlaces } from './row-places.js';
import type { RowSort } from './row-query.js';

/** What orders the rows first: further columns only order those with the same value. */
export function sortOf(order: string, columns: readonly Column[] = []): RowSort {
  if (order === '') return 'number';
  const [first] = readOrder(order);
  const column = columns.find(({ name }) => name === first?.column);
  if (!first || !column || !canFindPlaces(column.type)) return 'other';
  return { name: column.name, type: column.type, isDescending: first.isDescending };
}
