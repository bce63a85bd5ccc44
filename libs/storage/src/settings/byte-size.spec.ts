import { describe, expect, it } from '@jest/globals';
import { byteSize } from './byte-size.js';

describe('byteSize', () => {
  it.each([
    ['0', 0],
    ['1500', 1500],
    ['2K', 2048],
    ['500M', 500 * 2 ** 20],
    ['10G', 10 * 2 ** 30],
    ['3T', 3 * 2 ** 40],
  ])('parses %s as %d bytes', (text, bytes) => expect(byteSize.parse(text)).toBe(bytes));

  it.each(['', '-1', '1.5G', '10GB', '10g', 'G', '1e3', '999999999999999T'])('rejects %j', (text) => {
    expect(byteSize.safeParse(text).success).toBe(false);
  });
});
