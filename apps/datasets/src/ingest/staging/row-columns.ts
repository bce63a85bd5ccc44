import { MAX_COLUMN_NAME, MAX_COLUMNS, type ColumnType } from '@millrace/contracts/datasets/datasets';
import { isRawJson } from '../reading/raw-json.js';
import { classifyCell, classifyValue } from '../typing/classify.js';
import { isExact } from '../typing/is-number.js';
import { unionTypes } from '../typing/union-types.js';
import type { KnownColumn } from './staged-shape.js';

export interface RowColumn {
  name: string;
  type: ColumnType | null;
  /** The table's own type, or that of another part of the load. */
  known: ColumnType | null;
  key: boolean;
  /** In the staging table, from 1; 0 before the first value. */
  place: number;
  /** A row has named it. */
  brought: boolean;
  /** Has whole numbers that no double holds. */
  large: boolean;
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
  private names: readonly string[] = [];
  private last: RowColumn[] | string = [];
  private kept: RowColumn[] = [];

  /** @param digits numbers come as they are written */
  constructor(
    known: readonly KnownColumn[],
    readonly digits: boolean,
  ) {
    for (const { name, type, key } of known) this.add(newColumn(name, type, key));
  }

  /**
   * The columns of a row's names, in their order, of which new ones are none before they are kept; why there cannot be
   * such a row, where there cannot.
   */
  find(names: readonly string[]): RowColumn[] | string {
    if (names === this.names || isSame(names, this.names)) return this.last;
    const added = names.filter((name) => !this.byName.has(name));
    const problem =
      added.map(whyBadName).find((found) => found !== null) ??
      (this.all.length + added.length > MAX_COLUMNS ? `would make more than ${MAX_COLUMNS} columns` : null);
    this.names = names;
    this.last = problem ?? names.map((name) => this.byName.get(name) ?? newColumn(name, null, false));
    return this.last;
  }

  /** Takes up what is new among the columns that were found last. */
  keep(found: RowColumn[]): void {
    if (found === this.kept) return;
    for (const column of found) if (!this.byName.has(column.name)) this.add(column);
    this.kept = found;
  }

  /** Makes a column wide enough for a value that is not missing. */
  widen(column: RowColumn, value: unknown, cells: boolean): void {
    if (column.type === 'text' && cells) return this.place(column);
    const kind = cells ? classifyCell(String(value)) : classifyValue(value);
    const type = this.typeWith(column, kind, value, cells);
    if (type === 'text' && typeof value === 'number' && !Number.isInteger(value) && !this.digits) this.outdated = true;
    if (type !== column.type) {
      if (column.place > 0) this.outdated = true;
      column.type = type;
    }
    this.place(column);
  }

  private typeWith(column: RowColumn, kind: ColumnType, value: unknown, cells: boolean): ColumnType {
    const { type } = column;
    if (kind === 'bigint' && !column.large && !isExact(textOf(value))) column.large = true;
    if (type === null || type === kind) return kind === 'double' && column.large ? 'text' : kind;
    // In a cell all is text, so what looks like JSON beside what does not is no JSON.
    const isText = cells && column.known !== 'json' && (type === 'json' || kind === 'json');
    const union = isText ? 'text' : unionTypes(type, kind, column.key);
    return union === 'double' && column.large ? 'text' : union;
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
  ...{ name, type, known: type, key },
  ...{ place: 0, brought: false, large: false },
});

/** A value that is no array or object as a text. */
export const textOf = (value: unknown): string => (isRawJson(value) ? value.rawJSON : String(value));

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

function whyBadName(name: string): string | null {
  if (name === '') return 'has a name that is empty';
  if (!name.isWellFormed() || name.includes('\0')) return 'has a name with a NUL character or half of a surrogate pair';
  if (name.length > MAX_COLUMN_NAME || Buffer.byteLength(name) > MAX_NAME_BYTES) return 'has a name that is too long';
  return null;
}
