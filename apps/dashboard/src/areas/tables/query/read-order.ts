import { splitTokens } from '@millrace/query/parse/split-tokens';
import { writeColumn } from './write-query.js';

export interface SortItem {
  column: string;
  isDescending: boolean;
}

/** The whole columns that `select` or `order` lists; none if the text cannot be read. */
export function readOrder(text: string): SortItem[] {
  try {
    return splitItems(text).filter(({ column }) => column !== '');
  } catch {
    return [];
  }
}

export const readColumns = (text: string): string[] => readOrder(text).map(({ column }) => column);

export const writeOrder = (items: readonly SortItem[]): string =>
  items.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${writeColumn(column)}`).join(',');

/** The next order when a header is chosen: upwards, downwards, none. */
export function nextOrder(items: readonly SortItem[], column: string): SortItem[] {
  const [first] = items;
  if (items.length !== 1 || first?.column !== column) return [{ column, isDescending: false }];
  return first.isDescending ? [] : [{ column, isDescending: true }];
}

function splitItems(text: string): SortItem[] {
  let item: SortItem = { column: '', isDescending: false };
  const items = [item];
  for (const token of splitTokens(text, 'select')) {
    if (token.kind === 'symbol' && token.text === ',') {
      item = { column: '', isDescending: false };
      items.push(item);
      continue;
    }
    // A name that begins with the sign stands in backticks.
    const isSign = item.column === '' && token.kind === 'word' && token.text.startsWith('-');
    if (isSign) item.isDescending = true;
    item.column += isSign ? token.text.slice(1) : token.text;
  }
  return items;
}
