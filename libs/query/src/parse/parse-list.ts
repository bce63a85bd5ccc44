import { MAX_FIELDS, MAX_ORDER_ITEMS } from './limits.js';
import { type QueryPart, QueryError } from './query-error.js';
import { type Syntax } from './split-tokens.js';
import { TokenReader } from './token-reader.js';

/**
 * Parses a comma-separated list. An empty text has no items.
 * @throws QueryError if a comma is missing, or the list has more items than its part allows
 */
export function parseList<T>(
  text: string | undefined,
  part: QueryPart,
  readItem: (reader: TokenReader) => T,
  syntax: Syntax = 'query',
): T[] {
  const reader = new TokenReader(text ?? '', part, syntax);
  if (reader.peek().kind === 'end') return [];
  const maxItems = part === 'order' ? MAX_ORDER_ITEMS : MAX_FIELDS;
  const items = [readItem(reader)];
  while (reader.peek().kind !== 'end') {
    if (items.length === maxItems)
      throw new QueryError(part, reader.peek().start, [], `has more than ${maxItems} items`);
    if (!reader.acceptSymbol(',')) reader.fail([',', 'the end']);
    items.push(readItem(reader));
  }
  return items;
}
