/** What a column of a Live Table may hold. */
export const COLUMN_TYPES = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column that a query may name. */
export interface Column {
  /** As its user wrote it: any text. Never part of SQL. */
  name: string;
  type: ColumnType;
  /** Trusted SQL that gives its value: `c3`, or an expression of physical names and numbers; never made of user text. */
  sql: string;
  /** The table's own, such as `_state`, and not out of its rows. */
  system?: boolean;
  /** Given only where it is selected by name. */
  hidden?: boolean;
  /** False where every row has a value, which saves a page the search for rows without. */
  nullable?: boolean;
}

/** A statement or a part of one. Values are bound as text, and cast in the SQL: `c3 = $1::bigint`. */
export interface SqlText {
  text: string;
  values: string[];
}

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
