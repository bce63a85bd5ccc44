interface Search {
  grep: string;
  context: number;
  /** Matches up to this line were returned before. */
  after_line: number;
  maxCharacters: number;
}

/**
 * Finds the lines with a text, ignoring case, with the lines around them. A regular expression could take minutes, so it is plain
 * text.
 * @returns numbered lines, and the last line of the part if there are further matches
 */
export function findLines(log: string, search: Search): { text: string; nextLine: number | null } {
  const lines = log.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const searched = search.grep.toLowerCase();
  const found: string[] = [];
  let characters = 0;
  let shown = search.after_line;
  for (const [index, line] of lines.entries()) {
    if (index < search.after_line || !line.toLowerCase().includes(searched)) continue;
    const from = Math.max(shown, index - search.context);
    const until = Math.min(lines.length, index + search.context + 1);
    const part = lines.slice(from, until).map((text, offset) => `${from + offset + 1}: ${text}`);
    characters += part.reduce((sum, text) => sum + text.length + 1, 0);
    if (characters > search.maxCharacters && found.length > 0) return { text: found.join('\n'), nextLine: index };
    if (from > shown && found.length > 0) found.push('…');
    found.push(...part);
    shown = Math.max(shown, until);
  }
  return { text: found.join('\n'), nextLine: null };
}
