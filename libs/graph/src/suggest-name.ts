/**
 * The candidate nearest to a mistyped name, as `did you mean "…"?`, or undefined where none is near.
 * Nearness is optimal string alignment distance (insert, delete, replace, swap neighbours), at most a third of the name.
 */
export function suggestName(wrong: string, candidates: Iterable<string>): string | undefined {
  if (wrong.length > 64) return undefined;
  let limit = Math.max(2, Math.floor(wrong.length / 3));
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong.toLowerCase(), candidate.toLowerCase());
    if (distance > limit || (distance === limit && nearest !== undefined)) continue;
    limit = distance;
    nearest = candidate;
  }
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: number[], column: number): number => row[column] ?? Infinity;
