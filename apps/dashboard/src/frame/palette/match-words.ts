/**
 * How well a text matches what was typed: each word must occur in the text, and the beginning of a word counts more than its
 * inside. @returns 0 for no match; higher is better
 */
export function matchWords(text: string, typed: string): number {
  const haystack = text.toLowerCase();
  let score = 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const index = haystack.indexOf(word);
    if (index < 0) return 0;
    const isAtWord = index === 0 || /\W/.test(haystack[index - 1] ?? '');
    score += (isAtWord ? 2 : 1) + (index === 0 ? 1 : 0);
  }
  return score;
}
