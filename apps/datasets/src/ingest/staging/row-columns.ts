import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { isRawJson } from '../parsing/raw-json.js';
import { classifyCell, classifyValue } from '../types/classify-value.js';
import { isExactInteger } from '../types/is-number.js';
import { unionTypes } from '../types/union-types.js';
import type { KnownColumn } from './staged-shape.js';

export interface RowColumn {
  name: string;
  type: ColumnType | null;
  /** The table's own type, or that of another part of the load. */
  knownType: ColumnType | null;
  key: boolean;
  /** In the staging table, from 1; 0 before the first value. */
  place: number;
  /** A row has named it. */
  isPresent: boolean;
  /** Has whole numbers that no double holds. */
  hasInexactIntegers: boolean;
}

/** Bytes of a name that the index on names takes. */
const MAX_NAME_BYTES = 2_600;

/** The columns that the rows of a batch need, as they are found. */
export class RowColumns {
  readonly all: RowColumn[] = [];
  /** Those with a place, in its order. */
  readonly placed: RowColumn[] = [];
  /** Those of the primary key. */
  readonly keys: RowColumn[] = [];
  /** What was staged is not as it should be by now: rows are to be read once more, with the types that are known then. */
  outdated = false;
  private readonly byName = new Map<string, RowColumn>();
  private lastNames: readonly string[] = [];
  private lastResolved: RowColumn[] | string = [];
  private lastAdopted: RowColumn[] = [];

  /** @param preserveDigits numbers come as they are written */
  constructor(
    known: readonly KnownColumn[],
    readonly preserveDigits: boolean,
  ) {
    for (const { name, type, key } of known) this.add(newColumn(name, type, key));
  }

  /**
   * The columns of a row's names, in their order, of which new ones are none before they are kept; why there cannot be
   * such a row, where there cannot.
   */
  resolve(names: readonly string[]): RowColumn[] | string {
    if (names === this.lastNames || isSame(names, this.lastNames)) return this.lastResolved;
    const added = names.filter((name) => !this.byName.has(name));
    const problem =
      added.map(explainInvalidName).find((found) => found !== null) ??
      (this.all.length + added.length > MAX_COLUMNS ? `would make more than ${MAX_COLUMNS} columns` : null);
    this.lastNames = names;
    this.lastResolved = problem ?? names.map((name) => this.byName.get(name) ?? newColumn(name, null, false));
    return this.lastResolved;
  }

  /** Takes up what is new among the columns that were found last. */
  adopt(found: RowColumn[]): void {
    if (found === this.lastAdopted) return;
    for (const column of found) if (!this.byName.has(column.name)) this.add(column);
    this.lastAdopted = found;
  }

  /** Makes a column wide enough for a value that is not missing. */
  widen(column: RowColumn, value: unknown, cells: boolean): void {
    if (column.type === 'text' && cells) return this.place(column);
    const kind = cells ? classifyCell(String(value)) : classifyValue(value);
    const type = this.typeWith(column, kind, value, cells);
    if (type === 'text' && typeof value === 'number' && !Number.isInteger(value) && !this.preserveDigits)
      this.outdated = true;
    if (type !== column.type) {
      if (column.place > 0) this.outdated = true;
      column.type = type;
    }
    this.place(column);
  }

  private typeWith(column: RowColumn, kind: ColumnType, value: unknown, cells: boolean): ColumnType {
    const { type } = column;
    if (kind === 'bigint' && !column.hasInexactIntegers && !isExactInteger(toText(value)))
      column.hasInexactIntegers = true;
    if (type === null || type === kind) return kind === 'double' && column.hasInexactIntegers ? 'text' : kind;
    // In a cell all is text, so what looks like JSON beside what does not is no JSON.
    const isText = cells && column.knownType !== 'json' && (type === 'json' || kind === 'json');
    const union = isText ? 'text' : unionTypes(type, kind, column.key);
    return union === 'double' && column.hasInexactIntegers ? 'text' : union;
  }

  private place(column: RowColumn): void {
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

/** A value that is no array or object as a text. */
export const toText = (value: unknown): string => (isRawJson(value) ? value.rawJSON : String(value));

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

function explainInvalidName(name: string): string | null {
  if (name === '') return 'has a name that is empty';
  if (!name.isWellFormed() || name.includes('\0')) return 'has a name with a NUL character or half of a surrogate pair';
  if (name.length > MAX_COLUMN_NAME_LENGTH || Buffer.byteLength(name) > MAX_NAME_BYTES)
    return 'has a name that is too long';
  return null;
}
