import { expect, it } from '@jest/globals';
import { formatElapsed } from './format-elapsed.js';

it.each([
  [0, '+0.00 s'],
  [1_251, '+1.25 s'],
  [59_994, '+59.99 s'],
  [59_996, '+1:00.00'],
  [185_200, '+3:05.20'],
  [7_625_990, '+2:07:05'],
])('%d ms after the start is "%s"', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
