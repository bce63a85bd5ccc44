import { QueryError } from '@millrace/query/parse/query-error';
import { splitTokens, type Token } from '@millrace/query/parse/split-tokens';

/** A place in a query where a value of a column stands. */
export interface ValuePlace {
  column: string;
  /** Start of the text that a value replaces. */
  from: number;
  /** What is typed of it, without quotes. */
  typed: string;
}

/** The value that is typed at the end of `before`, if it is compared with a column by `=`, `!=` or IN. */
export function findValuePlace(before: string, columns: readonly string[]): ValuePlace | undefined {
  const { tokens, open } = readOpen(before);
  const last = tokens.at(-1);
  const isTyping = open === undefined && last?.kind === 'word' && last.end === before.length;
  const place = isTyping ? { from: last.start, typed: last.text } : (open ?? { from: before.length, typed: '' });
  const reference = findReference(isTyping ? tokens.slice(0, -1) : tokens);
  const column = reference && (columns.find((name) => name === reference) ?? findIgnoringCase(columns, reference));
  return column === undefined ? undefined : { column, ...place };
}

function readOpen(before: string): { tokens: Token[]; open?: { from: number; typed: string } } {
  try {
    return { tokens: splitTokens(before, 'q').slice(0, -1) };
  } catch (error) {
    const isOpen = error instanceof QueryError && /^["']$/.test(error.expected[0] ?? '');
    if (!isOpen) return { tokens: [] };
    const { position } = error;
    return {
      tokens: readOpen(before.slice(0, position)).tokens,
      open: { from: position, typed: before.slice(position + 1) },
    };
  }
}

/** The name before `=`, `!=`, or before IN and the values that its list has so far. */
function findReference(tokens: readonly Token[]): string | undefined {
  let at = tokens.length - 1;
  const isSymbol = (...texts: string[]) => tokens[at]?.kind === 'symbol' && texts.includes(tokens[at]?.text ?? '');
  const isWord = (text: string) => tokens[at]?.kind === 'word' && tokens[at]?.text.toUpperCase() === text;
  if (isSymbol('=', '!=')) at -= 1;
  else {
    while (isSymbol(',')) at -= 2;
    if (!isSymbol('(')) return undefined;
    at -= 1;
    if (!isWord('IN')) return undefined;
    at -= 1;
    if (isWord('NOT')) at -= 1;
  }
  const name = tokens[at];
  return name && name.kind !== 'symbol' ? name.text : undefined;
}

function findIgnoringCase(columns: readonly string[], name: string): string | undefined {
  const found = columns.filter((column) => column.toLowerCase() === name.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}
