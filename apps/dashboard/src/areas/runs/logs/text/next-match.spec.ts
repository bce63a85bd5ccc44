import { expect, it } from '@jest/globals';
import { nextMatch } from './next-match.js';

/** Matches in the lines 3, 7 and 9. */
const lines = [2, 6, 8];
const search = {
  count: lines.length,
  lineAt: (place: number) => lines[place],
  placeOf: (line: number) => lines.filter((found) => found < line).length,
};

it.each([
  [undefined, 1, 3],
  [3, 1, 7],
  [4, 1, 7],
  [9, 1, 3],
  [undefined, -1, 9],
  [9, -1, 7],
  [3, -1, 9],
] as const)('from line %s in direction %s, line %s follows', (line, direction, next) => {
  expect(nextMatch(search, line, direction)).toBe(next);
});

it('without a match there is no next one', () => {
  expect(nextMatch({ ...search, count: 0 }, 1, 1)).toBeUndefined();
});
