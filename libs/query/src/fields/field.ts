import { type Column } from './column.js';

/** A column, or a path into a column of type json. */
export interface Field {
  /** The key of the value in the response: the name of the column, or a reference such as `tls.issuer`. */
  name: string;
  column: Column;
  /** Keys and array indexes; absent for the column itself. */
  path?: readonly string[];
}

export interface Order {
  field: Field;
  descending: boolean;
}

/** Whether two fields have the same column and path. Their names may differ. */
export const isSameField = (one: Field, other: Field): boolean =>
  one.column.name === other.column.name && JSON.stringify(one.path ?? []) === JSON.stringify(other.path ?? []);
