const SUFFIX = ' (copy)';
const LONGEST = 255;

/** The name of a copy that was given none. */
export function copyName(original: string): string {
  const room = LONGEST - SUFFIX.length;
  // Half of a surrogate pair is no text.
  const kept = original.length <= room ? original : original.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  return kept + SUFFIX;
}
