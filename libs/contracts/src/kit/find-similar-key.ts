/** Every other four-letter word is two letters away from "name" or "data" ("note", "meta"), so short keys allow one. */
const SHORT_KEY = 4;
const MAX_DISTANCE = 2;
/** A longer key is no misspelling of ours, and its distance would cost time. */
const MAX_LENGTH = 64;

/**
 * The known key that an unknown one probably means: within two edits of it (one for a short key), without regard to case
 * and separators, so `expectedVersionId` is `expected_version_id`. Undefined if none is that near.
 */
export function findSimilarKey(unknown: string, known: readonly string[]): string | undefined {
  if (unknown.length > MAX_LENGTH) return undefined;
  const candidates = known
    .map((key) => ({ key, distance: distanceBetween(normalize(unknown), normalize(key)) }))
    .filter(({ key, distance }) => distance <= (key.length <= SHORT_KEY ? 1 : MAX_DISTANCE))
    .sort((a, b) => a.distance - b.distance);
  return candidates[0]?.key;
}

const normalize = (key: string): string => key.toLowerCase().replace(/[\s_.-]/g, '');

/** Optimal string alignment distance: insert, delete, replace, swap neighbours. */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const at = (cells: number[], index: number) => cells[index] ?? Infinity;
      const replace = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = swaps ? at(beforeLast, column - 2) + 1 : Infinity;
      current.push(Math.min(replace, at(last, column) + 1, at(current, column - 1) + 1, swap));
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? Infinity;
}
