import { describe, expect, it } from '@jest/globals';
import { maskTexts } from './mask-texts.js';

const SECRET = 'p@ss word/42';
const mask = (text: string, ...values: string[]) => maskTexts([text], values)[0];

describe('masking secret values', () => {
  it.each([
    ['as it is', `a ${SECRET} b`, 'a *** b'],
    ['twice', `${SECRET}${SECRET}`, '******'],
    ['percent-encoded', `https://u:${encodeURIComponent(SECRET)}@host/`, 'https://u:***@host/'],
    ['escaped for JSON', JSON.stringify({ a: SECRET }), '{"a":"***"}'],
  ])('finds a value %s', (_, text, masked) => {
    expect(mask(text, SECRET)).toBe(masked);
  });

  it('finds a value in base64 at every alignment', () => {
    for (const before of ['', 'u', 'us', 'use', 'user:']) {
      const text = `Basic ${Buffer.from(`${before}${SECRET} and more`).toString('base64')}`;
      expect(mask(text, SECRET)).toContain('***');
    }
  });

  it('finds a trimmed value, each of its lines, and each string of a JSON value', () => {
    expect(mask('hunter22', 'hunter22\n')).toBe('***');
    expect(mask('see line-two.', 'line-one\nline-two')).toBe('see ***.');
    expect(mask('abcdefgh!', '{"a":{"b":["abcdefgh"]}}')).toBe('***!');
  });

  it('leaves texts without a value unchanged, and ignores values that are too short', () => {
    expect(maskTexts(['abc', 'plain ${{vars.TOKEN}}'], ['abc', 'TOKENS', ''])).toEqual([null, null]);
  });

  it('masks the longer of two values with the same beginning', () => {
    expect(mask('token-longer', 'token', 'token-longer')).toBe('***');
  });

  it('masks the whole text if there is too much to compare', () => {
    const values = Array.from({ length: 300 }, (_, at) => `value-${at}`);
    expect(mask('a'.repeat(1_000_000), ...values)).toBe('***');
  });
});
