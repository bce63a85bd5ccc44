const NEWLINE = 10;

/** Offset at which the last `lines` lines of a text start. A line break at the very end belongs to the last line. */
export function findLastLines(text: Uint8Array, lines: number): number {
  let at = text.length - (text.at(-1) === NEWLINE ? 1 : 0);
  for (let left = lines; left > 0; left--) {
    at = at === 0 ? -1 : text.lastIndexOf(NEWLINE, at - 1);
    if (at === -1) return 0;
  }
  return Math.min(text.length, at + 1);
}
