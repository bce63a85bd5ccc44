import { type Column } from './column.js';

/** A column, or what lies at a path inside a json column. */
export interface Field {
  /** The key under which its value is given: the column's name, or a reference such as `tls.issuer`. */
  name: string;
  column: Column;
  /** Keys and array indexes; absent where the column itself is meant. */
  path?: readonly string[];
}

export interface Order {
  field: Field;
  descending: boolean;
}

/** Whether two fields are the same place, however they were written. */
export const isSameField = (one: Field, other: Field): boolean =>
  one.column.name === other.column.name && JSON.stringify(one.path ?? []) === JSON.stringify(other.path ?? []);
