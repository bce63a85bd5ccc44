import { Binder } from '@millrace/query/compile/binder';
import { CASTS, textSql } from '@millrace/query/compile/field-sql';
import type { Column, ColumnType } from '@millrace/query/fields/column';
import { checkUuid } from '../../live/names.js';
import type { LiveShape } from '../../reading/live-shape.js';

/** For each table, the same columns in the same order, with the SQL that selects them there. */
export type UnitedColumns = Column[][];

/** SQL of the row key. A united column is the key only if it is the key in all tables. */
const KEY = '_id';
/** Name of the column with the name of a row's table. */
const DATASET = '_dataset';

/**
 * Unites the columns of several tables by name, user columns first. A column with different types becomes text. A column
 * that a table does not have is NULL there. `_dataset` is the name of the table; if a user column has this name, the
 * system column gets another `_` in front.
 */
export function uniteColumns(shapes: readonly LiveShape[]): UnitedColumns {
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
export function hasOwnTypes({ columns }: Pick<LiveShape, 'columns'>, united: readonly Column[]): boolean {
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
