import { type QueryPart, QueryError } from './query-error.js';
import { type Syntax, splitTokens, type Token } from './split-tokens.js';

/** Reads the tokens of a text. After the last token it remains at the `end` token. */
export class TokenReader {
  private readonly tokens: Token[];
  private at = 0;

  constructor(
    text: string,
    readonly part: QueryPart,
    syntax: Syntax = 'query',
  ) {
    this.tokens = splitTokens(text, part, syntax);
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  /** Whether no space separates the next token from the previous one. */
  isAdjacent(): boolean {
    return this.at > 0 && this.tokens[this.at - 1]?.end === this.peek().start && this.peek().kind !== 'end';
  }

  isSymbol(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === text;
  }

  /** Consumes the symbol if it is the next token. Returns whether it did. */
  acceptSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.at += 1;
    return true;
  }

  /** Keywords are case-insensitive and never quoted. */
  isKeyword(keyword: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.length === keyword.length && token.text.toUpperCase() === keyword;
  }

  acceptKeyword(keyword: string): boolean {
    if (!this.isKeyword(keyword)) return false;
    this.at += 1;
    return true;
  }

  /** @throws QueryError always: the next token is not one of the expected tokens */
  fail(expected: string[], hint = ''): never {
    const token = this.peek();
    const found = token.kind === 'end' ? 'ends' : `has ${describe(token)}`;
    throw new QueryError(this.part, token.start, expected, `${found} where ${listOf(expected)} is expected${hint}`);
  }
}

function describe({ kind, text }: Token): string {
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return kind === 'name' ? `\`${short}\`` : `"${short}"`;
}

/** Quotes tokens, and leaves descriptions such as `a value` and `the end` as they are. */
function listOf(expected: string[]): string {
  const shown = expected.map((item) => (/^(an?|the) /.test(item) ? item : `"${item}"`));
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
