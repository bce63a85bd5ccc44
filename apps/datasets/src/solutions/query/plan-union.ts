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
  /** The table's columns are what they are in the table itself, and so is what an index would do for them. */
  hasOwnTypes: boolean;
}

type Pages = [UnionPage, ...UnionPage[]];

/**
 * The same page of several tables, of each in its own terms.
 * @param shapes at least one
 * @throws QueryError, CursorError
 */
export function planUnion(shapes: readonly LiveShape[], asked: RowsQuery): Pages {
  const expression = parseQuery(asked.q);
  const now = new Date();
  const united = uniteColumns(shapes);
  return shapes.map((shape, table) => {
    const columns = united[table] ?? [];
    const { table: name, key } = toTableRef(shape);
    const order = cutAfterKey(parseOrder(asked.order, columns), key);
    const { cursor } = asked;
    const scope = unionScope(shapes, asked, order);
    const after = cursor === undefined ? null : decodeUnionCursor(cursor, scope, order, shapes.length);
    return {
      table: name,
      key,
      fields: parseSelect(asked.select, columns),
      condition: checkQuery(expression, columns, { now }),
      order,
      after: after && toTableCursor(table, after, order, key),
      limit: asked.page_size,
      indexed: isIndexed(shape, order),
      hasOwnTypes: hasOwnTypes(shape, columns),
    };
  }) as Pages;
}

/** What a cursor is good for: the tables in their order, `q` and `order`, and the types of what orders the rows. */
export const unionScope = (
  shapes: readonly Pick<LiveShape, 'id'>[],
  { q, order }: Pick<RowsQuery, 'q' | 'order'>,
  fields: readonly Order[],
): string => JSON.stringify([shapes.map(({ id }) => id), q, order, typesOf(fields)]);
