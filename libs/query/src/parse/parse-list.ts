import { MAX_FIELDS, MAX_ORDER_ITEMS } from './limits.js';
import { type QueryPart, QueryError } from './query-error.js';
import { type Syntax } from './split-tokens.js';
import { TokenReader } from './token-reader.js';

/**
 * The items of a comma list; none where the text is empty.
 * @throws QueryError where commas are missing, or there are more items than the bound of their part
 */
export function parseList<T>(
  text: string | undefined,
  part: QueryPart,
  readItem: (reader: TokenReader) => T,
  signs: Syntax = 'query',
): T[] {
  const reader = new TokenReader(text ?? '', part, signs);
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
