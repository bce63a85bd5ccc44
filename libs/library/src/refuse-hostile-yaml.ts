import { CST, Lexer } from 'yaml';

/** What a YAML text may have at most. */
export interface YamlLimits {
  /** Brackets within each other, and marks such as `- ` on one line. */
  depth: number;
  /** Columns before a line. */
  indent: number;
  /** Tags and anchors. */
  tags: number;
  /** A token is 0.2 µs to lex, and 2 to 10 µs and some 500 bytes to parse. */
  tokens: number;
  /** Whether keys may be marked with "?". */
  explicitKeys: boolean;
}

export interface YamlRefusal {
  message: string;
  /** Both counted from 1. */
  line: number;
  column: number;
}

/**
 * Says why a YAML text would end its parser's stack or its memory, or take it seconds to minutes, and where; null where
 * it is fine. The parser recurses for each level and keeps every token; the lexer, which is asked here, goes over the text
 * once and stops at the first thing that is too much.
 */
export function refuseHostileYaml(source: string, limits: YamlLimits): YamlRefusal | null {
  const count = { tokens: 0, open: 0, marks: 0, tags: 0 };
  let offset = 0;
  let before: string | null = 'newline';
  for (const token of new Lexer().lex(source)) {
    // What follows this mark is a scalar's text, whatever it looks like.
    const type: string | null = before === 'scalar' ? 'text' : CST.tokenType(token);
    const message = note(count, type, before === 'newline' && type === 'space' ? token.length : 0, limits);
    if (message !== null) return { message, ...placeOf(source, offset) };
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
  limits: YamlLimits,
): string | null {
  count.tokens++;
  if (type === 'flow-map-start' || type === 'flow-seq-start') count.open++;
  if (type === 'flow-map-end' || type === 'flow-seq-end') count.open--;
  if (type === 'newline') count.marks = 0;
  if (count.open === 0 && BLOCK_MARKS.has(type ?? '')) count.marks++;
  if (type === 'tag' || type === 'anchor') count.tags++;
  if (type === 'explicit-key-ind' && !limits.explicitKeys) return 'has a key marked with "?", which is not needed here';
  if (count.tokens > limits.tokens) return `has more than ${limits.tokens} tokens`;
  if (count.open > limits.depth || count.marks > limits.depth || indent > limits.indent) return 'is nested too deep';
  return count.tags > limits.tags ? 'has too many tags and anchors' : null;
}

const BLOCK_MARKS = new Set(['seq-item-ind', 'map-value-ind', 'explicit-key-ind']);

function placeOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
