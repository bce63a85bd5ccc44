/** A longer name is hardly a typing error, and the table of distances grows with the square of the length. */
const MAX_LENGTH = 64;
const MAX_NAMES = 3;

/** The names that a mistyped one may mean, nearest first; by Levenshtein distance, up to a third of its letters. */
export function nearestNames(wrong: string, names: readonly string[]): string[] {
  if (wrong.length > MAX_LENGTH) return [];
  const maxDistance = Math.max(1, Math.floor(wrong.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wrong.length) <= maxDistance)
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 0; row < one.length; row += 1) {
    const line = [row + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = above[at]! + (one[row] === other[at] ? 0 : 1);
      line.push(Math.min(replaced, above[at + 1]! + 1, line[at]! + 1));
    }
    above = line;
  }
  return above.at(-1)!;
}
