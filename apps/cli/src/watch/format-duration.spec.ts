import { expect, it } from '@jest/globals';
import { formatDuration } from './format-duration.js';

it.each([
  [-5, '0.0 s'],
  [420, '0.4 s'],
  [12_400, '12 s'],
  [185_000, '3 min 5 s'],
  [7_620_000, '2 h 7 min'],
])('%d ms reads %p', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
