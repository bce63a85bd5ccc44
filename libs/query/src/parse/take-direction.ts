import { type TokenReader } from './token-reader.js';

export interface Direction {
  descending: boolean;
  /** Characters of the next word that are not part of a name: the sign, where it is glued to one. */
  dropped: 0 | 1;
}

/** Reads the `-` of an order. A bare name does not begin with one; before a quoted name it is a word of its own. */
export function takeDirection(reader: TokenReader): Direction {
  const { kind, text } = reader.peek();
  if (kind !== 'word' || !text.startsWith('-')) return { descending: false, dropped: 0 };
  if (text !== '-') return { descending: true, dropped: 1 };
  reader.next();
  return { descending: true, dropped: 0 };
}
