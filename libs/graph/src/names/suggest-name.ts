/** More than a few slips of the finger are another name. */
const MAX_SLIPS = 4;
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
  let limit = Math.min(MAX_SLIPS, Math.max(2, Math.floor(wrong.length / 3)));
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

const FAR = 1_000_000;

function alignmentDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return FAR;
  const width = b.length + 2;
  // Beside the diagonals looked at, everything stays out of reach.
  let [beforeLast, last, current] = [new Int32Array(width), new Int32Array(width), new Int32Array(width)];
  for (let column = 0; column < width; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    const letter = a.charCodeAt(row - 1);
    const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1;
    let left = from === 1 ? row : FAR;
    current[from - 1] = left;
    let least = left;
    for (let column = from; column <= to; column += 1) {
      const other = b.charCodeAt(column - 1);
      const replaced = at(last, column - 1) + (letter === other ? 0 : 1);
      const changed = Math.min(at(last, column), left) + 1;
      left = changed < replaced ? changed : replaced;
      if (other === letterBefore && column > 1 && letter === b.charCodeAt(column - 2))
        left = Math.min(left, at(beforeLast, column - 2) + 1);
      current[column] = left;
      if (left < least) least = left;
    }
    current[to + 1] = FAR;
    if (least > limit) return least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

const at = (row: Int32Array, column: number): number => row[column] ?? FAR;
