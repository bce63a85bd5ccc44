/** A row whose position in the query and whose key are known. */
export interface KnownRow {
  position: number;
  /** Its number (`_row`), or its value in the column that sorts the rows. */
  key: number;
}

/**
 * The key that the row at `position` has if keys grow evenly between two known rows. For numbers of rows it is exact if none
 * was deleted and there is no condition.
 */
export function guessKey(before: KnownRow, after: KnownRow, position: number): number {
  const positions = after.position - before.position;
  if (positions <= 0) return before.key;
  const share = Math.min(1, Math.max(0, (position - before.position) / positions));
  return before.key + share * (after.key - before.key);
}
