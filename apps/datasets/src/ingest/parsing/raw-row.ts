/** A row as a file has it, before its values have types. */
export interface RawRow {
  /** Of the file, from 1; of a JSON array, the number of the element. */
  line: number;
  text: string;
  names: readonly string[];
  /** By place in `names`; there may be fewer. Null is a missing value. */
  values: readonly unknown[];
}

/** What could not be read as a row. */
export interface Rejection {
  line: number;
  reason: string;
  /** Its first `KEPT_TEXT` characters. */
  text: string;
  /** Nothing after it could be read, so what the file holds is not known. */
  broken?: true;
}

export type ParsedRow = RawRow | Rejection;

/** Longest row, in bytes. Longer ones are passed over without being held. */
export const MAX_ROW_BYTES = 1024 * 1024;

/** How much of a rejected row is kept, in characters. */
export const MAX_REJECTED_CHARACTERS = 10_000;

export const isRejection = (item: ParsedRow): item is Rejection => 'reason' in item;

export const reject = (line: number, reason: string, text: string): Rejection => ({
  line,
  reason,
  text: text.slice(0, MAX_REJECTED_CHARACTERS),
});
