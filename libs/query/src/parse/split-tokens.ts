import { MAX_CHARACTERS } from './limits.js';
import { type QueryPart, QueryError } from './query-error.js';

export interface Token {
  /** `quoted` stood in single or double quotes, `name` in backticks. */
  kind: 'word' | 'quoted' | 'name' | 'symbol' | 'end';
  /** Without quotes and escapes. */
  text: string;
  start: number;
  end: number;
}

const SPACE = /\s+/y;
/** In a grouping a column may be followed by `[]` and `:1h`; in a query these signs are parts of values. */
const PATTERNS = {
  query: { symbol: /!=|!~|>=|<=|[(),=<>~]/y, word: /[^\s(),=<>~!"'`]+/y },
  grouping: { symbol: /[(),:[\]]/y, word: /[^\s(),:[\]"'`]+/y },
} as const;
export type Syntax = keyof typeof PATTERNS;
/** A quote is doubled or has a backslash before it; a backslash before anything but quote and backslash stays. */
const QUOTED = { '"': /"((?:[^"\\]|\\[^]|"")*)"/y, "'": /'((?:[^'\\]|\\[^]|'')*)'/y } as const;
const NAME = /`((?:[^`]|``)*)`/y;
const ESCAPED = { '"': /\\([\\"])|"(")/g, "'": /\\([\\'])|'(')/g } as const;

/**
 * The words, quoted texts and symbols of a query, with an `end` behind them; in linear time.
 * @throws QueryError where the text is too long, is not Unicode, has a NUL, or a quote is not closed
 */
export function splitTokens(text: string, part: QueryPart, signs: Syntax = 'query'): Token[] {
  if (text.length > MAX_CHARACTERS)
    throw new QueryError(part, MAX_CHARACTERS, [], `is longer than ${MAX_CHARACTERS} characters`);
  rejectInvalidText(text, part);
  const tokens: Token[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const token = readToken(text, at, part, signs);
    tokens.push(token);
    at = skip(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

/** Postgres holds no NUL in a text, and nothing that is not Unicode. */
function rejectInvalidText(text: string, part: QueryPart): void {
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new QueryError(part, nul, [], 'contains a NUL character');
  if (text.isWellFormed()) return;
  const lone = /\p{Surrogate}/u.exec(text);
  throw new QueryError(part, lone?.index ?? 0, [], 'contains half of a surrogate pair');
}

function readToken(text: string, start: number, part: QueryPart, signs: Syntax): Token {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readQuoted(text, start, first, part);
  if (first === '`') return readName(text, start, part);
  const symbol = match(PATTERNS[signs].symbol, text, start);
  if (symbol !== undefined) return { kind: 'symbol', text: symbol[0], start, end: start + symbol[0].length };
  const word = match(PATTERNS[signs].word, text, start);
  if (word === undefined) throw new QueryError(part, start, ['!=', '!~', 'NOT'], '"!" is not an operator');
  return { kind: 'word', text: word[0], start, end: start + word[0].length };
}

function readQuoted(text: string, start: number, quote: '"' | "'", part: QueryPart): Token {
  const found = match(QUOTED[quote], text, start);
  if (found === undefined) throw new QueryError(part, start, [quote], `the quote ${quote} is not closed`);
  const inner = (found[1] ?? '').replace(ESCAPED[quote], '$1$2');
  return { kind: 'quoted', text: inner, start, end: start + found[0].length };
}

function readName(text: string, start: number, part: QueryPart): Token {
  const found = match(NAME, text, start);
  if (found === undefined) throw new QueryError(part, start, ['`'], 'the backtick is not closed');
  return { kind: 'name', text: (found[1] ?? '').replaceAll('``', '`'), start, end: start + found[0].length };
}

const skip = (text: string, at: number): number => at + (match(SPACE, text, at)?.[0].length ?? 0);

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
