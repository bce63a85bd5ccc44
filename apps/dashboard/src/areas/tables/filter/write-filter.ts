import type { ColumnType } from '../grid/column-layout.js';
import { formatValue } from '../grid/format-cell.js';
import { writeColumn, writeText } from '../query/write-query.js';

export interface FilterColumn {
  name: string;
  type: ColumnType;
}

/** Values that need no quotes. Only values of columns other than text and json are written without. */
const BARE_VALUE = /^[\w.:+/-]+$/;

/** A value as queries compare it with the column. */
export function writeValue(value: unknown, type: ColumnType): string {
  const text = formatValue(value);
  const isBare = type !== 'text' && (type !== 'json' || typeof value === 'number' || typeof value === 'boolean');
  return isBare && BARE_VALUE.test(text) ? text : writeText(text);
}

/** Whether rows can be filtered by a value. Arrays and objects have no value to compare with that queries can express. */
export const isFilterable = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The condition of the rows with exactly this value. */
export function writeIs({ name, type }: FilterColumn, value: unknown): string {
  const column = writeColumn(name);
  if (value === null || value === undefined) return `${column} IS NULL`;
  // `=` would find all addresses of the network.
  if (isNetwork(type, value)) return `${column} LIKE ${writeText(formatValue(value))}`;
  const equal = `${column} = ${writeValue(value, type)}`;
  const twin = twinOf(type, value);
  return twin === undefined ? equal : `(${equal} AND ${column} != ${twin})`;
}

/** The condition of all other rows, those without a value included. */
export function writeIsNot(column: FilterColumn, value: unknown): string {
  const name = writeColumn(column.name);
  if (value === null || value === undefined) return `${name} IS NOT NULL`;
  if (isNetwork(column.type, value)) return `${name} NOT LIKE ${writeText(formatValue(value))}`;
  if (twinOf(column.type, value) !== undefined) return `NOT ${writeIs(column, value)}`;
  return `${name} != ${writeValue(value, column.type)}`;
}

/** The condition of the rows with one of these values. */
export function writeIsOneOf(column: FilterColumn, values: readonly unknown[]): string {
  const isPlain = (value: unknown) =>
    value !== null && !isNetwork(column.type, value) && twinOf(column.type, value) === undefined;
  const plain = values.filter(isPlain);
  const list = plain.map((value) => writeValue(value, column.type)).join(', ');
  const conditions = [
    ...(plain.length > 1 ? [`${writeColumn(column.name)} IN (${list})`] : plain.map((value) => writeIs(column, value))),
    ...values.filter((value) => !isPlain(value)).map((value) => writeIs(column, value)),
  ];
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' OR ')})`;
}

/** The condition of rows whose value is at least, or at most, this one. */
export const writeBound = ({ name, type }: FilterColumn, sign: '>=' | '<=', value: unknown): string =>
  `${writeColumn(name)} ${sign} ${writeValue(value, type)}`;

const isNetwork = (type: ColumnType, value: unknown): boolean => type === 'inet' && formatValue(value).includes('/');

/** In json, `"90"` also finds the number 90. This is the other value that the text of a text stands for. */
function twinOf(type: ColumnType, value: unknown): string | undefined {
  if (type !== 'json' || typeof value !== 'string') return undefined;
  if (value === 'true' || value === 'false') return value;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? value : undefined;
}
