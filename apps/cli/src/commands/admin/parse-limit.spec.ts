import { expect, it } from '@jest/globals';
import { parseLimit } from './parse-limit.js';

it('a limit is a whole number, or none', () => {
  expect(['0', '50', 'none'].map(parseLimit)).toEqual([0, 50, null]);
});

it.each(['', '-1', '1.5', '1e3', 'many', '99999999999999999999'])('the limit "%s" is refused', (text) => {
  expect(() => parseLimit(text)).toThrow('Use a whole number of 0 or more, or "none".');
});
