import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from './parse-json.js';

const whole = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String);
const decimal = fc
  .tuple(whole, fc.nat(99_999).map(String), fc.constantFrom('', 'e3', 'E-7', 'e+12'))
  .map(([before, after, exponent]) => `${before}.${after}${exponent}`);
const space = fc.constantFrom('', ' ', '\t ');

/** The output of `JSON.stringify` shows how the numbers were parsed. */
const again = (text: string, digits: boolean): string => JSON.stringify(parseJson(text, digits));

describe('JSON numbers', () => {
  it('keep digits that a double would lose, in any position', () => {
    fc.assert(
      fc.property(whole, space, space, (number, before, after) => {
        expect(again(`{"a":${before}${number}${after}}`, false)).toBe(`{"a":${number}}`);
        expect(again(`{"a":[1,${before}${number}${after},2]}`, false)).toBe(`{"a":[1,${number},2]}`);
      }),
    );
  });

  it('keep their notation if requested', () => {
    fc.assert(
      fc.property(fc.oneof(whole, decimal), space, space, (number, before, after) => {
        expect(again(`{"a":${before}${number}${after},"b":"x"}`, true)).toBe(`{"a":${number},"b":"x"}`);
      }),
    );
  });

  it.each(['1.0', '-0', '-0.0', '1e3', '12345678901234567890', '0.1234567890123456789'])(
    'keep the notation %s if a double would lose it',
    (number) => {
      expect(again(`{"a":${number}}`, false)).toBe(`{"a":${number}}`);
    },
  );

  it('are not confused with texts that contain numbers', () => {
    const text = '{"at":"2026-01-01T12:30:05.000Z","b":"1.0,2.50]"}';
    expect(again(text, true)).toBe(text);
  });
});
