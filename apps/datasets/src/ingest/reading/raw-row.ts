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
export interface Rejected {
  line: number;
  reason: string;
  /** Its first `KEPT_TEXT` characters. */
  text: string;
  /** Nothing after it could be read, so what the file holds is not known. */
  broken?: true;
}

export type Item = RawRow | Rejected;

/** Longest row, in bytes. Longer ones are passed over without being held. */
export const MAX_ROW = 1024 * 1024;

/** How much of a rejected row is kept, in characters. */
export const KEPT_TEXT = 10_000;

export const isRejected = (item: Item): item is Rejected => 'reason' in item;

export const reject = (line: number, reason: string, text: string): Rejected => ({
  line,
  reason,
  text: text.slice(0, KEPT_TEXT),
});
