/** Types of the columns of Live Tables. */
export const COLUMN_TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column that a query may name. */
export interface Column {
  /** The name from the user, which can be any text. It never becomes part of SQL. */
  name: string;
  type: ColumnType;
  /** Trusted SQL of the value: `c3`, or an expression of physical names and numbers. Contains no text from users. */
  sql: string;
  /** Whether the table maintains the column, such as `_state`, instead of loading it from rows. */
  system?: boolean;
  /** Whether the column is returned only if it is selected by name. */
  hidden?: boolean;
  /** False if every row has a value. A page then needs no statement for rows without a value. */
  nullable?: boolean;
}

/** A statement, or a part of a statement. Values are bound as text and cast in the SQL: `c3 = $1::bigint`. */
export interface SqlText {
  text: string;
  values: string[];
}

/** The columns of a table by name. Names can be any text, so they are keys of maps and never of objects. */
export interface ColumnIndex {
  all: readonly Column[];
  exact: ReadonlyMap<string, Column>;
  /** Columns by their names in lower case. Several columns have the same key if their names differ in case alone. */
  ignoringCase: ReadonlyMap<string, Column[]>;
}

export function indexColumns(columns: readonly Column[]): ColumnIndex {
  return {
    all: columns,
    exact: new Map(columns.map((column) => [column.name, column])),
    ignoringCase: Map.groupBy(columns, ({ name }) => name.toLowerCase()),
  };
}
