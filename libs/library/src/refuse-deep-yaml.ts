import { CST, Lexer } from 'yaml';

/** A module needs six levels, twenty columns of indent and no tags; the longest built-in one has 1,500 tokens. */
const MAX_DEPTH = 20;
const MAX_INDENT = 200;
const MAX_TAGS = 100;
const MAX_TOKENS = 50_000;

/**
 * Says why a YAML text would end its parser's stack, or take it seconds to minutes, and at which offset; null where it is
 * fine. The parser recurses for each level and compares all keys of a map with each other; the lexer, which is asked here,
 * goes over the text once.
 */
export function refuseDeepYaml(source: string): { message: string; offset: number } | null {
  const count = { tokens: 0, open: 0, marks: 0, tags: 0 };
  let offset = 0;
  let before: string | null = 'newline';
  for (const token of new Lexer().lex(source)) {
    // What follows this mark is a scalar's text, whatever it looks like.
    const type: string | null = before === 'scalar' ? 'text' : CST.tokenType(token);
    const message = note(count, type, before === 'newline' && type === 'space' ? token.length : 0);
    if (message !== null) return { message, offset };
    if (!LEXER_MARKS.has(type ?? '')) offset += token.length;
    before = type;
  }
  return null;
}

/** Tokens that stand for nothing in the text. */
const LEXER_MARKS = new Set(['doc-mode', 'flow-error-end', 'scalar']);

function note(
  count: Record<'tokens' | 'open' | 'marks' | 'tags', number>,
  type: string | null,
  indent: number,
): string | null {
  count.tokens++;
  if (type === 'flow-map-start' || type === 'flow-seq-start') count.open++;
  if (type === 'flow-map-end' || type === 'flow-seq-end') count.open--;
  if (type === 'newline') count.marks = 0;
  if (count.open === 0 && (type === 'seq-item-ind' || type === 'map-value-ind')) count.marks++;
  if (type === 'tag' || type === 'anchor') count.tags++;
  if (type === 'explicit-key-ind') return 'has a key marked with "?", which no module needs';
  if (count.tokens > MAX_TOKENS) return `has more than ${MAX_TOKENS} tokens`;
  if (count.open > MAX_DEPTH || count.marks > MAX_DEPTH || indent > MAX_INDENT) return 'is nested too deep';
  return count.tags > MAX_TAGS ? 'has too many tags and anchors' : null;
}
