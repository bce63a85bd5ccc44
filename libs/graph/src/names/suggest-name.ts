/** A name that is more edits away than this is another name, not a typing error. */
const MAX_EDITS = 4;
/** Longer names get no suggestion. */
const MAX_NAME_LENGTH = 64;

/**
 * Suggests the candidate nearest to a mistyped name, as `Did you mean "…"?`; undefined if none is near.
 * The distance is optimal string alignment (insert, delete, replace, swap neighbours), ignoring case. It may be a third
 * of the name's length (two for a short name), and four at most.
 */
export function suggestName(wrong: string, candidates: Iterable<string>): string | undefined {
  const nearest = findNearest(wrong, candidates);
  return nearest === undefined ? undefined : `Did you mean "${nearest}"?`;
}

/** Returns the candidate that `suggestName` would name: the nearest, and the first of several that are equally near. */
export function findNearest(wrong: string, candidates: Iterable<string>): string | undefined {
  if (wrong.length > MAX_NAME_LENGTH) return undefined;
  const lower = wrong.toLowerCase();
  let limit = Math.min(MAX_EDITS, Math.max(2, Math.floor(wrong.length / 3)));
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wrong.length) > limit) continue;
    const distance = editDistance(lower, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = candidate;
    // A later candidate replaces this one only if it is nearer.
    limit = distance - 1;
    if (limit < 0) break;
  }
  return nearest;
}

/**
 * Computes the optimal string alignment distance, or returns any number above `limit` if the distance exceeds `limit`.
 * Only the diagonals within `limit` are computed (Ukkonen 1985). A common prefix or suffix costs one comparison per letter.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  return alignmentDistance(a.slice(start, endA), b.slice(start, endB), limit);
}

/** A distance that no two names reach. */
const UNREACHABLE = 1_000_000;

function alignmentDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return UNREACHABLE;
  const width = b.length + 2;
  // Cells outside of the computed diagonals stay unreachable.
  let [beforeLast, last, current] = [new Int32Array(width), new Int32Array(width), new Int32Array(width)];
  for (let column = 0; column < width; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    const letter = a.charCodeAt(row - 1);
    const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1;
    let left = from === 1 ? row : UNREACHABLE;
    current[from - 1] = left;
    let smallest = left;
    for (let column = from; column <= to; column += 1) {
      const other = b.charCodeAt(column - 1);
      const replaced = at(last, column - 1) + (letter === other ? 0 : 1);
      const changed = Math.min(at(last, column), left) + 1;
      left = changed < replaced ? changed : replaced;
      if (other === letterBefore && column > 1 && letter === b.charCodeAt(column - 2))
        left = Math.min(left, at(beforeLast, column - 2) + 1);
      current[column] = left;
      if (left < smallest) smallest = left;
    }
    current[to + 1] = UNREACHABLE;
    if (smallest > limit) return smallest;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

const at = (row: Int32Array, column: number): number => row[column] ?? UNREACHABLE;
