import { MAX_CHARACTERS } from './limits.js';
import { type QueryPart, QueryError } from './query-error.js';

export interface Token {
  /** `quoted` is text in single or double quotes, `name` is text in backticks. */
  kind: 'word' | 'quoted' | 'name' | 'symbol' | 'end';
  /** Without quotes and escapes. */
  text: string;
  start: number;
  end: number;
}

const SPACE = /\s+/y;
/** In a grouping, `[]` and `:1h` can follow a column. In a query, these characters are parts of values. */
const PATTERNS = {
  query: { symbol: /!=|!~|>=|<=|[(),=<>~]/y, word: /[^\s(),=<>~!"'`]+/y },
  grouping: { symbol: /[(),:[\]]/y, word: /[^\s(),:[\]"'`]+/y },
} as const;
export type Syntax = keyof typeof PATTERNS;
/** A quote is escaped by a second quote or a backslash. A backslash before any other character is a literal backslash. */
const QUOTED = { '"': /"((?:[^"\\]|\\[^]|"")*)"/y, "'": /'((?:[^'\\]|\\[^]|'')*)'/y } as const;
const NAME = /`((?:[^`]|``)*)`/y;
const ESCAPED = { '"': /\\([\\"])|"(")/g, "'": /\\([\\'])|'(')/g } as const;

/**
 * Splits a query into words, quoted texts and symbols, followed by an `end` token, in linear time.
 * @throws QueryError if the text is too long, is not valid Unicode, has a NUL, or a quote is not closed
 */
export function splitTokens(text: string, part: QueryPart, syntax: Syntax = 'query'): Token[] {
  if (text.length > MAX_CHARACTERS)
    throw new QueryError(part, MAX_CHARACTERS, [], `is longer than ${MAX_CHARACTERS} characters`);
  rejectInvalidText(text, part);
  const tokens: Token[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const token = readToken(text, at, part, syntax);
    tokens.push(token);
    at = skip(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

/** Postgres stores neither NUL nor invalid Unicode in a text. */
function rejectInvalidText(text: string, part: QueryPart): void {
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new QueryError(part, nul, [], 'contains a NUL character');
  if (text.isWellFormed()) return;
  const lone = /\p{Surrogate}/u.exec(text);
  throw new QueryError(part, lone?.index ?? 0, [], 'contains half of a surrogate pair');
}

function readToken(text: string, start: number, part: QueryPart, syntax: Syntax): Token {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readQuoted(text, start, first, part);
  if (first === '`') return readName(text, start, part);
  const symbol = match(PATTERNS[syntax].symbol, text, start);
  if (symbol !== undefined) return { kind: 'symbol', text: symbol[0], start, end: start + symbol[0].length };
  const word = match(PATTERNS[syntax].word, text, start);
  if (word === undefined)
    throw new QueryError(
      part,
      start,
      ['!=', '!~', 'NOT'],
      'has "!", which is not an operator; use != or !~, or begin the condition with NOT',
    );
  return { kind: 'word', text: word[0], start, end: start + word[0].length };
}

function readQuoted(text: string, start: number, quote: '"' | "'", part: QueryPart): Token {
  const found = match(QUOTED[quote], text, start);
  if (found === undefined)
    throw new QueryError(part, start, [quote], `has a text that is not closed; end it with ${quote}`);
  const inner = (found[1] ?? '').replace(ESCAPED[quote], '$1$2');
  return { kind: 'quoted', text: inner, start, end: start + found[0].length };
}

function readName(text: string, start: number, part: QueryPart): Token {
  const found = match(NAME, text, start);
  if (found === undefined) throw new QueryError(part, start, ['`'], 'has a name that is not closed; end it with `');
  return { kind: 'name', text: (found[1] ?? '').replaceAll('``', '`'), start, end: start + found[0].length };
}

const skip = (text: string, at: number): number => at + (match(SPACE, text, at)?.[0].length ?? 0);

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
