import { expect, it } from '@jest/globals';
import { formatDuration } from './format-duration.js';

it.each([
  [-5, '0.0 s'],
  [0, '0.0 s'],
  [420, '0.4 s'],
  [9_949, '9.9 s'],
  [12_400, '12 s'],
  [59_700, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [3_599_900, '1 h 0 min'],
  [7_265_000, '2 h 1 min'],
  [7_620_000, '2 h 7 min'],
])('formatDuration shows %d ms as %p', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
