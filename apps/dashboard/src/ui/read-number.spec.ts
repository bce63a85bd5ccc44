import { describe, expect, it } from '@jest/globals';
import { readNumber } from './read-number.js';

describe('the text of a number field', () => {
  it.each([
    ['5', 5],
    ['-5', -5],
    ['007', 7],
    ['1000', 1_000],
    ['', undefined],
    ['5.000.000', null],
    ['5,000', null],
    ['5.5', null],
    ['1e2', null],
    ['0x10', null],
    [' ', null],
    ['-', null],
    ['1001', null],
    ['-6', null],
  ])('“%s” is read as %s', (text, number) => {
    expect(readNumber(text, { min: -5, max: 1_000 })).toBe(number);
  });

  it('is not accepted above the largest exact number', () => {
    expect(readNumber('9007199254740993', { min: 0, max: Number.MAX_SAFE_INTEGER })).toBeNull();
  });
});
