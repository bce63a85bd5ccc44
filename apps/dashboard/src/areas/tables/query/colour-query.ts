import { RESERVED } from '@millrace/query/parse/expression';
import { QueryError } from '@millrace/query/parse/query-error';
import { splitTokens, type Token } from '@millrace/query/parse/split-tokens';

export type TokenColour = 'column' | 'keyword' | 'operator' | 'text' | 'value';

export interface ColouredToken {
  from: number;
  to: number;
  colour: TokenColour;
}

/** The parts of a query with their colours. A part that cannot be read yet, such as an open text, is one token to the end. */
export function colourQuery(text: string): ColouredToken[] {
  const tokens: Token[] = [];
  const open = readTokens(text, tokens);
  const coloured = colourTokens(tokens);
  return open === undefined || open >= text.length
    ? coloured
    : [...coloured, { from: open, to: text.length, colour: 'text' }];
}

/** Adds the tokens, and returns the position from which the text cannot be read. */
function readTokens(text: string, tokens: Token[]): number | undefined {
  try {
    tokens.push(...splitTokens(text, 'q'));
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.position < text.length) readTokens(text.slice(0, error.position), tokens);
    return error.position;
  }
}

function colourTokens(tokens: readonly Token[]): ColouredToken[] {
  let expectsValue = false;
  let isList = false;
  return tokens.flatMap((token): ColouredToken[] => {
    const { kind, start: from, end: to } = token;
    const word = kind === 'word' ? token.text.toUpperCase() : '';
    if (kind === 'end') return [];
    if (kind === 'symbol') {
      if (token.text === ')') isList = false;
      if (!'(),'.includes(token.text)) expectsValue = true;
      return [{ from, to, colour: 'operator' }];
    }
    if (RESERVED.has(word) || (word === 'NULL' && !isList)) {
      isList ||= word === 'IN';
      expectsValue = word === 'LIKE' || word === 'HAS';
      return [{ from, to, colour: 'keyword' }];
    }
    const isValue = expectsValue || isList;
    expectsValue = false;
    if (kind === 'quoted') return [{ from, to, colour: isValue ? 'text' : 'column' }];
    return [{ from, to, colour: isValue ? 'value' : 'column' }];
  });
}
