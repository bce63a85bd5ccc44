import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { isRawJson } from '../parsing/parse-json.js';
import { classifyCell, classifyValue, unionTypes } from '../types/classify-value.js';
import type { KnownColumn } from '../types/known-columns.js';
import { isExactInteger } from '../types/value-forms.js';

export interface RowColumn {
  name: string;
  type: ColumnType | null;
  /** The type in the table or in another part of the load. */
  knownType: ColumnType | null;
  key: boolean;
  /** Place in the staging table, from 1; 0 before the first value. */
  place: number;
  /** At least one row has the column. */
  isPresent: boolean;
  /** Has integers that a double cannot represent exactly. */
  hasInexactIntegers: boolean;
}

/** Limit of the index on names. */
const MAX_NAME_BYTES = 2_600;

/** Collects the columns that the rows of a batch need. */
export class RowColumns {
  readonly all: RowColumn[] = [];
  /** The columns with a place, in that order. */
  readonly placed: RowColumn[] = [];
  /** The columns of the primary key. */
  readonly keys: RowColumn[] = [];
  /** Staged rows do not have the types that later rows need, so the batch has to be read again with the final types. */
  outdated = false;
  private readonly byName = new Map<string, RowColumn>();
  private lastNames: readonly string[] = [];
  private lastResolved: RowColumn[] | string = [];
  private lastAdopted: RowColumn[] = [];

  /** @param preserveDigits numbers keep the form that they have in the file */
  constructor(
    known: readonly KnownColumn[],
    readonly preserveDigits: boolean,
  ) {
    for (const { name, type, key } of known) this.add(newColumn(name, type, key));
  }

  /**
   * Finds the columns of a row. New columns are added only when the row is adopted.
   * @returns the columns in the order of the names, or why such a row is not possible
   */
  resolve(names: readonly string[]): RowColumn[] | string {
    if (names === this.lastNames || isSame(names, this.lastNames)) return this.lastResolved;
    const added = names.filter((name) => !this.byName.has(name));
    const problem =
      added.map(explainInvalidName).find((found) => found !== null) ??
      (this.all.length + added.length > MAX_COLUMNS ? `would give the table more than ${MAX_COLUMNS} columns` : null);
    this.lastNames = names;
    this.lastResolved = problem ?? names.map((name) => this.byName.get(name) ?? newColumn(name, null, false));
    return this.lastResolved;
  }

  /** Adds the new ones among resolved columns. */
  adopt(columns: RowColumn[]): void {
    if (columns === this.lastAdopted) return;
    for (const column of columns) if (!this.byName.has(column.name)) this.add(column);
    this.lastAdopted = columns;
  }

  /** Widens the type of a column for a value that is not missing. */
  widen(column: RowColumn, value: unknown, untyped: boolean): void {
    if (column.type === 'text' && untyped) return this.assignPlace(column);
    const valueType = untyped ? classifyCell(String(value)) : classifyValue(value);
    const type = this.widenedType(column, valueType, value, untyped);
    if (type === 'text' && typeof value === 'number' && !Number.isInteger(value) && !this.preserveDigits)
      this.outdated = true;
    if (type !== column.type) {
      if (column.place > 0) this.outdated = true;
      column.type = type;
    }
    this.assignPlace(column);
  }

  private widenedType(column: RowColumn, valueType: ColumnType, value: unknown, untyped: boolean): ColumnType {
    const { type } = column;
    if (valueType === 'bigint' && !column.hasInexactIntegers && !isExactInteger(toText(value)))
      column.hasInexactIntegers = true;
    if (type === null || type === valueType)
      return valueType === 'double' && column.hasInexactIntegers ? 'text' : valueType;
    // A CSV cell has no type of its own, so JSON beside other texts is text.
    const isText = untyped && column.knownType !== 'json' && (type === 'json' || valueType === 'json');
    const union = isText ? 'text' : unionTypes(type, valueType, column.key);
    return union === 'double' && column.hasInexactIntegers ? 'text' : union;
  }

  private assignPlace(column: RowColumn): void {
    if (column.place === 0) column.place = this.placed.push(column);
  }

  private add(column: RowColumn): void {
    this.all.push(column);
    if (column.key) this.keys.push(column);
    this.byName.set(column.name, column);
  }
}

const newColumn = (name: string, type: ColumnType | null, key: boolean): RowColumn => ({
  ...{ name, type, knownType: type, key },
  ...{ place: 0, isPresent: false, hasInexactIntegers: false },
});

/** The text of a value that is not an array or object. */
export const toText = (value: unknown): string => (isRawJson(value) ? value.rawJSON : String(value));

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, at) => name === right[at]);

function explainInvalidName(name: string): string | null {
  if (name === '') return 'has a column with an empty name';
  if (!name.isWellFormed() || name.includes('\0'))
    return 'has a column name with a NUL character or half of a surrogate pair';
  if (name.length > MAX_COLUMN_NAME_LENGTH || Buffer.byteLength(name) > MAX_NAME_BYTES)
    return `has a column name of more than ${MAX_COLUMN_NAME_LENGTH} characters or ${MAX_NAME_BYTES} bytes`;
  return null;
}
