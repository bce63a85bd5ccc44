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
 * A query in the terms of a table.
 * @throws QueryError, CursorError
 */
export function planQuery(shape: LiveShape, asked: RowsQuery): Page {
  const order = parseOrder(asked.order, shape.columns);
  return {
    ...toTableRef(shape),
    fields: parseSelect(asked.select, shape.columns),
    condition: checkQuery(parseQuery(asked.q), shape.columns, { now: new Date() }),
    order,
    after: asked.cursor === undefined ? null : decodeCursor(asked.cursor, cursorScope(shape, asked, order), order),
    limit: asked.page_size,
    indexed: isIndexed(shape, order),
  };
}

/** Whether an index gives the order, or at least its beginning. */
export function isIndexed({ indexed }: Pick<LiveShape, 'indexed'>, [first]: readonly Order[]): boolean {
  return first === undefined || (first.field.path === undefined && indexed.has(first.field.column.sql));
}

/**
 * What a cursor is good for: `select` may change from page to page, the types of what orders the rows may not, for the
 * values in the cursor are of them.
 * @param order as it was read
 */
export const cursorScope = (
  { id }: Pick<LiveShape, 'id'>,
  { q, order }: Pick<RowsQuery, 'q' | 'order'>,
  fields: readonly Order[],
): string => JSON.stringify([id, q, order, typesOf(fields)]);

export const typesOf = (order: readonly Order[]): string[] => order.map(({ field }) => field.column.type);
