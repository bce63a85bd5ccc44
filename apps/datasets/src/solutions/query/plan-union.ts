import { Binder } from '@millrace/query/compile/binder';
import type { Page } from '@millrace/query/compile/compile-page';
import { CASTS, textSql } from '@millrace/query/compile/field-sql';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Column, ColumnType } from '@millrace/query/fields/column';
import type { Order } from '@millrace/query/fields/field';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { checkUuid } from '../../live/names.js';
import { toTableRef, type LiveShape } from '../../reading/live-shape.js';
import { isIndexed, typesOf, type RowsQuery } from '../../reading/plan-query.js';
import { decodeUnionCursor, toTableCursor, cutAfterKey } from './union-cursor.js';

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

/** For each table, the same columns in the same order, with the SQL that selects them there. */
type UnitedColumns = Column[][];

/** SQL of the row key. A united column is the key only if it is the key in all tables. */
const KEY = '_id';
/** Name of the column with the name of a row's table. */
const DATASET = '_dataset';

/**
 * Unites the columns of several tables by name, user columns first. A column with different types becomes text. A column
 * that a table does not have is NULL there. `_dataset` is the name of the table; if a user column has this name, the
 * system column gets another `_` in front.
 */
function uniteColumns(shapes: readonly LiveShape[]): UnitedColumns {
  const types = new Map<string, ColumnType>();
  for (const isSystem of [false, true]) {
    for (const column of shapes.flatMap(({ columns }) => columns).filter(({ system }) => system === isSystem)) {
      const type = types.get(column.name);
      types.set(column.name, type === undefined || type === column.type ? column.type : 'text');
    }
  }
  const dataset = freeName(DATASET, types);
  const isKey = (name: string) =>
    shapes.every(({ columns }) => columns.some((column) => column.name === name && column.sql === KEY));
  return shapes.map((shape) => {
    const own = new Map(shape.columns.map((column) => [column.name, column]));
    const united = [...types].map(([name, type]) => ({
      name,
      type,
      sql: isKey(name) ? KEY : sqlAs(type, own.get(name)),
    }));
    return [...united, { name: dataset, type: 'text', sql: tableNameSql(shape) }];
  });
}

/** Whether all columns of a table keep their types, so that none became text because of another table. */
function hasOwnTypes({ columns }: Pick<LiveShape, 'columns'>, united: readonly Column[]): boolean {
  const types = new Map(united.map(({ name, type }) => [name, type]));
  return columns.every(({ name, type }) => types.get(name) === type);
}

const freeName = (name: string, usedNames: ReadonlyMap<string, unknown>): string =>
  usedNames.has(name) ? freeName(`_${name}`, usedNames) : name;

function sqlAs(type: ColumnType, column: Column | undefined): string {
  if (!column) return `NULL::${CASTS[type]}`;
  if (column.type === type) return column.sql === KEY ? `${KEY} + 0` : column.sql;
  return textSql({ name: column.name, column }, new Binder());
}

/** The name is user input, so the SQL looks it up and does not contain it. */
function tableNameSql({ id }: LiveShape): string {
  return `(SELECT d.name FROM datasets.dataset d WHERE d.id = '${checkUuid(id)}')`;
}
