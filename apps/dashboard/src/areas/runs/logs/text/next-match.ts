import type { LogSearch } from './log-search.js';

/**
 * The line of the next or previous match, from 1. After the last one the first one follows.
 * @param line the present line, from 1; without it the search begins at the end that is nearest in that direction
 */
export function nextMatch(
  search: Pick<LogSearch, 'count' | 'lineAt' | 'placeOf'>,
  line: number | undefined,
  direction: 1 | -1,
): number | undefined {
  const { count } = search;
  if (count === 0) return undefined;
  const place = placeAfter(search, line, direction);
  const next = search.lineAt((place + count) % count);
  return next === undefined ? undefined : next + 1;
}

function placeAfter(search: Pick<LogSearch, 'placeOf'>, line: number | undefined, direction: 1 | -1): number {
  if (line === undefined) return direction === 1 ? 0 : -1;
  // `line` counts from 1, so as a place it is the line after the present one.
  return direction === 1 ? search.placeOf(line) : search.placeOf(line - 1) - 1;
}
