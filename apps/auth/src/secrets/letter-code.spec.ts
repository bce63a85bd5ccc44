import { describe, expect, it } from '@jest/globals';
import { CODE_LETTERS, makeLetterCode, readLetterCode } from './letter-code.js';

describe('a code of letters', () => {
  it('has groups of four letters', () => {
    expect(makeLetterCode(8)).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(makeLetterCode(12)).toMatch(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);
  });

  it('uses every letter of its unambiguous alphabet', () => {
    const seen = new Set(readLetterCode(Array.from({ length: 200 }, () => makeLetterCode(8)).join('')));
    expect([...seen].sort().join('')).toBe(CODE_LETTERS);
    expect(CODE_LETTERS).not.toMatch(/[AEIOUY0-9]/);
  });

  it.each(['bcdf-ghjk', ' BCDFGHJK ', 'B C D F – g h j k', 'BCDF_GHJK'])('is recognized as "%s"', (typed) => {
    expect(readLetterCode(typed)).toBe('BCDFGHJK');
  });
});
