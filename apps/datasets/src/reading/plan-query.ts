import type { Page } from '@millrace/query/compile/compile-page';
import { decodeCursor } from '@millrace/query/compile/encode-cursor';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Order } from '@millrace/query/fields/field';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { toTableRef, type LiveShape } from './live-shape.js';

export interface RowsQuery {
  q: string;
  select: string;
  order: string;
  page_size: number;
  cursor?: string | undefined;
}

/**
 * Resolves a query against the columns of a table.
 * @throws QueryError, CursorError
 */
export function planQuery(shape: LiveShape, query: RowsQuery): Page {
  const order = parseOrder(query.order, shape.columns);
  return {
    ...toTableRef(shape),
    fields: parseSelect(query.select, shape.columns),
    condition: checkQuery(parseQuery(query.q), shape.columns, { now: new Date() }),
    order,
    after: query.cursor === undefined ? null : decodeCursor(query.cursor, cursorScope(shape, query, order), order),
    limit: query.page_size,
    indexed: isIndexed(shape, order),
  };
}

/** Whether an index provides the order, or at least its first column. */
export function isIndexed({ indexed }: Pick<LiveShape, 'indexed'>, [first]: readonly Order[]): boolean {
  return first === undefined || (first.field.path === undefined && indexed.has(first.field.column.sql));
}

/**
 * Identifies the queries that a cursor is valid for. `select` may change from page to page. The types of the ordering
 * columns may not, because the cursor has values of these types.
 * @param fields the parsed order
 */
export const cursorScope = (
  { id }: Pick<LiveShape, 'id'>,
  { q, order }: Pick<RowsQuery, 'q' | 'order'>,
  fields: readonly Order[],
): string => JSON.stringify([id, q, order, typesOf(fields)]);

export const typesOf = (order: readonly Order[]): string[] => order.map(({ field }) => field.column.type);
