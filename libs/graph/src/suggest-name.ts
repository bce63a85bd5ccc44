/** More than a few slips of the finger are another name. */
const MOST_SLIPS = 4;
const LONGEST = 64;

/**
 * The candidate nearest to a mistyped name, as `did you mean "…"?`, or undefined where none is near.
 * Nearness is optimal string alignment distance (insert, delete, replace, swap neighbours), at most a third of the name
 * (two for a short one) and four; letters in the wrong case cost nothing.
 */
export function suggestName(wrong: string, candidates: Iterable<string>): string | undefined {
  const nearest = findNearest(wrong, candidates);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

/** The candidate that `suggestName` names; of several that are equally near the first. */
export function findNearest(wrong: string, candidates: Iterable<string>): string | undefined {
  if (wrong.length > LONGEST) return undefined;
  const lower = wrong.toLowerCase();
  let limit = Math.min(MOST_SLIPS, Math.max(2, Math.floor(wrong.length / 3)));
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wrong.length) > limit) continue;
    const distance = editDistance(lower, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = candidate;
    // A later one must be nearer.
    limit = distance - 1;
    if (limit < 0) break;
  }
  return nearest;
}

/**
 * Optimal string alignment distance, or some number above `limit` where it is above that. Only the diagonals within
 * `limit` are looked at (Ukkonen 1985), and a start or an end that both have costs one comparison a letter.
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

function alignmentDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let current: number[] = [];
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    // Beside the diagonals looked at, everything is out of reach.
    current[from - 1] = from === 1 ? row : Infinity;
    let least = at(current, from - 1);
    for (let column = from; column <= to; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const distance = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
      current[column] = distance;
      if (distance < least) least = distance;
    }
    if (to < b.length) current[to + 1] = Infinity;
    if (least > limit) return least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

const at = (row: number[], column: number): number => row[column] ?? Infinity;
