import { CST, Lexer } from 'yaml';

/** The limits of a YAML text. */
export interface YamlLimits {
  /** Nested brackets, and marks such as `- ` on one line. */
  depth: number;
  /** Columns of indentation. */
  indent: number;
  /** Tags and anchors. */
  tags: number;
  /** A token takes 0.2 µs to lex, and 2 to 10 µs and about 500 bytes to parse. */
  tokens: number;
  /** Whether keys marked with "?" are allowed. */
  explicitKeys: boolean;
}

export interface YamlRefusal {
  message: string;
  /** Both counted from 1. */
  line: number;
  column: number;
}

/**
 * Checks whether a YAML text would exhaust its parser's stack or memory, or take it seconds to minutes. The parser recurses
 * for each level and stores every token. This check uses the lexer alone, which reads the text once, and it stops at the
 * first token beyond a limit.
 * @returns the reason and the position of the refusal; null if the text is within the limits
 */
export function refuseHostileYaml(source: string, limits: YamlLimits): YamlRefusal | null {
  const count = { tokens: 0, open: 0, marks: 0, tags: 0 };
  let offset = 0;
  let previous: string | null = 'newline';
  for (const token of new Lexer().lex(source)) {
    // The token after this mark is a scalar's text, even if it looks like another token.
    const type: string | null = previous === 'scalar' ? 'text' : CST.tokenType(token);
    const message = countToken(count, type, previous === 'newline' && type === 'space' ? token.length : 0, limits);
    if (message !== null) return { message, ...positionOf(source, offset) };
    if (!LEXER_MARKS.has(type ?? '')) offset += token.length;
    previous = type;
  }
  return null;
}

/** Tokens of the lexer that have no characters in the text. */
const LEXER_MARKS = new Set(['doc-mode', 'flow-error-end', 'scalar']);

function countToken(
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
  if (type === 'explicit-key-ind' && !limits.explicitKeys)
    return 'has a key marked with "?", which is not allowed; write `key: value`';
  if (count.tokens > limits.tokens) return `must not have more than ${limits.tokens} YAML tokens`;
  if (count.open > limits.depth || count.marks > limits.depth || indent > limits.indent) {
    return `must not be nested deeper than ${limits.depth} levels or indented by more than ${limits.indent} columns`;
  }
  return count.tags > limits.tags ? `must not have more than ${limits.tags} tags and anchors` : null;
}

const BLOCK_MARKS = new Set(['seq-item-ind', 'map-value-ind', 'explicit-key-ind']);

function positionOf(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
