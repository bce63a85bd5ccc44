import { expect, it } from '@jest/globals';
import { parseCount, parseCountUpTo, parseRunNumber } from './parse-number.js';

it('the number of a run is returned as it was typed', () => {
  expect(parseRunNumber('99999999999999999999')).toBe('99999999999999999999');
});

it.each(['abc', '', '-1', '1.5'])('%j is rejected as the number of a run', (text) => {
  expect(() => parseRunNumber(text)).toThrow('Use the number of a run, such as 42.');
});

it.each(['abc', '', '0', '1.5'])('%j is rejected as a count', (text) => {
  expect(() => parseCount(text)).toThrow('Use a whole number of 1 or more.');
  expect(() => parseCountUpTo(1_000)(text)).toThrow('Use a whole number from 1 to 1000.');
});

it('a count may be the limit, but not more', () => {
  expect(parseCountUpTo(1_000)('1000')).toBe(1_000);
  expect(() => parseCountUpTo(1_000)('1001')).toThrow('Use a whole number from 1 to 1000.');
});
