import { expect, it } from '@jest/globals';
import { parseRanges } from './stop.js';

it.each([
  ['3', [[3, 3]]],
  ['3-7', [[3, 7]]],
  [
    '1,5-7,9',
    [
      [1, 1],
      [5, 7],
      [9, 9],
    ],
  ],
])('the children %s are %j', (text, ranges) => {
  expect(parseRanges(text)).toEqual(ranges.map(([first, last]) => ({ first, last })));
});

it.each(['', '0', '7-3', '3-', '1,,2', 'a', '1 2'])('%j names no children', (text) => {
  expect(() => parseRanges(text)).toThrow('Use a number from 1');
});
