import { type Reference, type Segment } from './expression.js';
import { MAX_PATH_LENGTH } from './limits.js';
import { QueryError } from './query-error.js';
import { type Token } from './split-tokens.js';
import { type TokenReader } from './token-reader.js';

/** A segment that needs no quotes: letters, marks and digits of any script, `_`, `$`, `@`, and `-` after the first character. */
const BARE = /^[\p{L}\p{M}\p{N}_$@][\p{L}\p{M}\p{N}_$@-]*$/u;

/** Quotes a name in backticks. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export const isBareSegment = (text: string): boolean => BARE.test(text);

/**
 * Reads a column and a path into it: unquoted words and quoted names, joined by dots.
 * @param skipped number of characters of the first word before the name, such as the `-` of an order
 * @throws QueryError if there is no reference, or an unquoted segment has a character that needs quotes
 */
export function readReference(reader: TokenReader, expected = 'a column', skipped = 0): Reference {
  const first = reader.peek();
  if (first.kind === 'symbol' || first.kind === 'end') reader.fail([expected]);
  const segments: Segment[] = [];
  let open = addToken(reader, segments, true, skipped);
  while (reader.isAdjacent() && reader.peek().kind !== 'symbol') {
    if (!open && !(reader.peek().kind === 'word' && reader.peek().text.startsWith('.'))) reader.fail(['.', 'a space']);
    open = addToken(reader, segments, open, 0);
  }
  if (open) reader.fail(['a name after the dot']);
  const position = first.start + skipped;
  if (segments.length > MAX_PATH_LENGTH)
    throw new QueryError(reader.part, position, [], `a path has more than ${MAX_PATH_LENGTH} parts`);
  return { segments, position };
}

/** Adds the segments of a token. Returns whether another segment must follow, because the token ends in a dot. */
function addToken(reader: TokenReader, segments: Segment[], open: boolean, skipped: number): boolean {
  const token = reader.next();
  if (token.kind !== 'word') {
    segments.push({ text: token.text, quoted: true });
    return false;
  }
  let offset = skipped;
  if (!open) offset += 1;
  const parts = token.text.slice(offset).split('.');
  const endsOpen = parts.at(-1) === '';
  if (endsOpen) parts.pop();
  if (parts.length === 0 && segments.length === 0) rejectSegment(reader, token, offset, '');
  for (const part of parts) {
    if (!isBareSegment(part)) rejectSegment(reader, token, offset, part);
    segments.push({ text: part, quoted: false });
    offset += part.length + 1;
  }
  return endsOpen;
}

function rejectSegment(reader: TokenReader, token: Token, offset: number, part: string): never {
  const position = Math.min(token.start + offset, token.end);
  const message =
    part === ''
      ? 'must have a name before and after each dot'
      : `write a name with characters other than letters, digits, _, $, @ and - in backticks: \`${part.slice(0, 60)}\``;
  throw new QueryError(reader.part, position, ['a name', '`a name`'], message);
}
