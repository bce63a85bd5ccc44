const NEWLINE = 10;

/** Iterates over the non-empty lines of a text, without decoding a long text as a whole. */
export function* linesOf(text: Buffer): Generator<string> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf(NEWLINE, start);
    const end = newline === -1 ? text.length : newline;
    if (end > start) yield text.toString('utf8', start, end);
    start = end + 1;
  }
}
