/** One character that must be there, any character (`_`), or any text (`%`). */
type Part = { kind: 'char'; char: string } | { kind: 'one' } | { kind: 'any' };

/**
 * Whether a whole text matches a pattern of LIKE: `%` is any text, `_` any character, and a backslash makes the next
 * character an ordinary one. Takes at most the product of both lengths: after a mismatch it only continues at the last `%`.
 */
export function matchesLike(text: string, pattern: string): boolean {
  const parts = readPattern(pattern);
  const characters = [...text];
  let part = 0;
  let at = 0;
  /** Where to continue after a mismatch: the part after the last `%`, and the first character that it has not tried. */
  let retry: { part: number; at: number } | null = null;
  while (at < characters.length) {
    const current = parts[part];
    if (current?.kind === 'any') {
      part += 1;
      retry = { part, at };
    } else if (current?.kind === 'one' || (current?.kind === 'char' && current.char === characters[at])) {
      part += 1;
      at += 1;
    } else if (retry !== null) {
      retry = { part: retry.part, at: retry.at + 1 };
      ({ part, at } = retry);
    } else return false;
  }
  return parts.slice(part).every(({ kind }) => kind === 'any');
}

function readPattern(pattern: string): Part[] {
  const characters = [...pattern];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const char = characters[at] ?? '';
    if (char === '%') parts.push({ kind: 'any' });
    else if (char === '_') parts.push({ kind: 'one' });
    else if (char === '\\') parts.push({ kind: 'char', char: characters[(at += 1)] ?? '\\' });
    else parts.push({ kind: 'char', char });
  }
  return parts;
}
