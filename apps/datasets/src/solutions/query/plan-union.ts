import type { Page } from '@millrace/query/compile/compile-page';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Order } from '@millrace/query/fields/field';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { toTableRef, type LiveShape } from '../../reading/live-shape.js';
import { isIndexed, typesOf, type RowsQuery } from '../../reading/plan-query.js';
import { decodeUnionCursor, toTableCursor, cutAfterKey } from './union-cursor.js';
import { hasOwnTypes, uniteColumns } from './unite-columns.js';

export interface UnionPage extends Page {
  /** Whether all columns have the types of the table itself, so that its indexes can serve the query. */
  hasOwnTypes: boolean;
}

type Pages = [UnionPage, ...UnionPage[]];

/**
 * Plans one page over several tables: for each table, a page with the same columns and order.
 * @param shapes at least one
 * @throws QueryError, CursorError
 */
export function planUnion(shapes: readonly LiveShape[], query: RowsQuery): Pages {
  const expression = parseQuery(query.q);
  const now = new Date();
  const united = uniteColumns(shapes);
  return shapes.map((shape, table) => {
    const columns = united[table] ?? [];
    const { table: name, key } = toTableRef(shape);
    const order = cutAfterKey(parseOrder(query.order, columns), key);
    const { cursor } = query;
    const scope = unionScope(shapes, query, order);
    const after = cursor === undefined ? null : decodeUnionCursor(cursor, scope, order, shapes.length);
    return {
      table: name,
      key,
      fields: parseSelect(query.select, columns),
      condition: checkQuery(expression, columns, { now }),
      order,
      after: after && toTableCursor(table, after, order, key),
      limit: query.page_size,
      indexed: isIndexed(shape, order),
      hasOwnTypes: hasOwnTypes(shape, columns),
    };
  }) as Pages;
}

/** Identifies the queries that a cursor is valid for: tables in their order, `q`, `order`, and the types of the ordering columns. */
export const unionScope = (
  shapes: readonly Pick<LiveShape, 'id'>[],
  { q, order }: Pick<RowsQuery, 'q' | 'order'>,
  fields: readonly Order[],
): string => JSON.stringify([shapes.map(({ id }) => id), q, order, typesOf(fields)]);
