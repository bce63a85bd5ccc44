/** A row of a file before its values have types. */
export interface RawRow {
  /** Line in the file, from 1; in a JSON array, the number of the element. */
  line: number;
  text: string;
  names: readonly string[];
  /** In the order of `names`; there may be fewer. Null is a missing value. */
  values: readonly unknown[];
}

/** A part of a file that is not a row. */
export interface Rejection {
  line: number;
  /** Why, as a clause about the row: "is not valid UTF-8". */
  reason: string;
  /** The first `MAX_REJECTED_CHARACTERS` characters. */
  text: string;
  /** Nothing behind it could be read, so the contents of the file are not known. */
  broken?: true;
}

export type ParsedRow = RawRow | Rejection;

/** Limit of a row. A longer one is skipped without being kept in memory. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** How much of a rejected row is stored. */
export const MAX_REJECTED_CHARACTERS = 10_000;

export const isRejection = (row: ParsedRow): row is Rejection => 'reason' in row;

export const reject = (line: number, reason: string, text: string): Rejection => ({
  line,
  reason,
  text: text.slice(0, MAX_REJECTED_CHARACTERS),
});
