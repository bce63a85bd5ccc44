import { Binder } from '@millrace/query/compile/binder';
import { CASTS, textSql } from '@millrace/query/compile/field-sql';
import type { Column, ColumnType } from '@millrace/query/fields/column';
import type { LiveShape } from '../../reading/live-shape.js';

/** Tables as one: for each the same columns in the same order, by what gives them there. */
export type UnitedColumns = Column[][];

/** The column by which pages go on. Only what is that in all tables is taken for it. */
const KEY = '_id';
/** Name of the column that says which table a row is in. */
const DATASET = '_dataset';

/**
 * The columns of several tables by name, those of users first. One that has several types is text, one that a table
 * lacks has no value there, and `_dataset` is the name of the table; where users have such a column, ours has another `_`
 * in front.
 */
export function uniteColumns(shapes: readonly LiveShape[]): UnitedColumns {
  const types = new Map<string, ColumnType>();
  for (const isSystem of [false, true]) {
    for (const column of shapes.flatMap(({ columns }) => columns).filter(({ system }) => system === isSystem)) {
      const known = types.get(column.name);
      types.set(column.name, known === undefined || known === column.type ? column.type : 'text');
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
    return [...united, { name: dataset, type: 'text', sql: nameOf(shape) }];
  });
}

/** Whether none of a table's columns has become text for the others' sake. */
export function hasOwnTypes({ columns }: Pick<LiveShape, 'columns'>, united: readonly Column[]): boolean {
  const types = new Map(united.map(({ name, type }) => [name, type]));
  return columns.every(({ name, type }) => types.get(name) === type);
}

const freeName = (name: string, taken: ReadonlyMap<string, unknown>): string =>
  taken.has(name) ? freeName(`_${name}`, taken) : name;

function sqlAs(type: ColumnType, column: Column | undefined): string {
  if (!column) return `NULL::${CASTS[type]}`;
  if (column.type === type) return column.sql === KEY ? `${KEY} + 0` : column.sql;
  return textSql({ name: column.name, column }, new Binder());
}

/** The name is a user's, so it is looked up where it is data. */
function nameOf({ id }: LiveShape): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('not an id of ours');
  return `(SELECT d.name FROM datasets.dataset d WHERE d.id = '${id}')`;
}
