import { MAX_ORDER_ITEMS } from '@millrace/query/parse/limits';
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

/**
 * The next order when a header is chosen: upwards, downwards, none.
 * @param isAdded whether the rows stay sorted by the other columns
 */
export function nextOrder(items: readonly SortItem[], column: string, isAdded = false): SortItem[] {
  const present = items.find((item) => item.column === column);
  if (!isAdded && (items.length !== 1 || !present)) return [{ column, isDescending: false }];
  if (!present) return addSort(items, { column, isDescending: false });
  return present.isDescending ? removeSort(items, column) : addSort(items, { column, isDescending: true });
}

/** Sorts by a column in the given direction. It keeps its place if the rows are sorted by it, and is the last one otherwise. */
export const addSort = (items: readonly SortItem[], added: SortItem): SortItem[] =>
  items.some(({ column }) => column === added.column)
    ? items.map((item) => (item.column === added.column ? added : item))
    : [...items, added].slice(0, MAX_ORDER_ITEMS);

export const removeSort = (items: readonly SortItem[], column: string): SortItem[] =>
  items.filter((item) => item.column !== column);

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
