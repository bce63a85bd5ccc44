/** A row whose position in the query and whose number (`_row`) are known. */
export interface KnownRow {
  position: number;
  number: number;
}

/**
 * The number that the row at `position` has if numbers grow evenly between two known rows. Without deleted rows and without
 * a condition it is exact.
 */
export function guessRowNumber(before: KnownRow, after: KnownRow, position: number): number {
  const positions = after.position - before.position;
  if (positions <= 0) return before.number;
  const share = Math.min(1, Math.max(0, (position - before.position) / positions));
  return Math.round(before.number + share * (after.number - before.number));
}
