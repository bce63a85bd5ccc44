import { type Column } from './column.js';

/** The columns of a table by name. Names are any text, so they are keys of maps and never of objects. */
export interface ColumnIndex {
  all: readonly Column[];
  exact: ReadonlyMap<string, Column>;
  /** By name in lower case; several where names differ in case alone. */
  folded: ReadonlyMap<string, Column[]>;
}

export function indexColumns(columns: readonly Column[]): ColumnIndex {
  return {
    all: columns,
    exact: new Map(columns.map((column) => [column.name, column])),
    folded: Map.groupBy(columns, ({ name }) => name.toLowerCase()),
  };
}
