const NEWLINE = 10;

/** The lines of a text that are not empty, one after the other: a long text is never decoded as a whole. */
export function* linesOf(text: Buffer): Generator<string> {
  for (let from = 0; from < text.length;) {
    const found = text.indexOf(NEWLINE, from);
    const end = found === -1 ? text.length : found;
    if (end > from) yield text.toString('utf8', from, end);
    from = end + 1;
  }
}
