/** Many four-letter words are two edits away from "name" or "data" ("note", "meta"), so a short key allows only one. */
const SHORT_KEY_LENGTH = 4;
const MAX_DISTANCE = 2;
/** A longer key is not a typo of a known one, and computing its distance would take time. */
const MAX_KEY_LENGTH = 64;

/**
 * The known key that an unknown one probably means: within two edits (one for a short key), ignoring case and
 * separators, so `expectedVersionId` matches `expected_version_id`. Undefined if no key is that similar.
 */
export function findSimilarKey(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MAX_KEY_LENGTH) return undefined;
  const candidates = known
    .map((key) => ({ key, distance: distanceBetween(normalize(unknown), normalize(key)) }))
    .filter(
      ({ key, distance }) => distance <= (key.length <= SHORT_KEY_LENGTH ? 1 : MAX_DISTANCE) && distance < key.length,
    )
    .sort((a, b) => a.distance - b.distance);
  return candidates[0]?.key;
}

const normalize = (key: string): string => key.toLowerCase().replace(/[\s_.-]/g, '');

/** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
function distanceBetween(a: string, b: string): number {
  let rowBefore: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const at = (cells: number[], index: number) => cells[index] ?? Infinity;
      const replace = at(previousRow, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? at(rowBefore, column - 2) + 1 : Infinity;
      currentRow.push(Math.min(replace, at(previousRow, column) + 1, at(currentRow, column - 1) + 1, swap));
    }
    [rowBefore, previousRow] = [previousRow, currentRow];
  }
  return previousRow[b.length] ?? Infinity;
}
