import { expect, it } from '@jest/globals';
import { formatHex } from './format-hex.js';

it('a hex dump has the offset, the bytes and the printable characters', () => {
  const bytes = new TextEncoder().encode('GIF89a\0 and more than one line');
  expect(formatHex(bytes)).toBe(
    [
      '00000000  47 49 46 38 39 61 00 20  61 6e 64 20 6d 6f 72 65  GIF89a. and more',
      '00000010  20 74 68 61 6e 20 6f 6e  65 20 6c 69 6e 65         than one line',
    ].join('\n'),
  );
  expect(formatHex(new Uint8Array())).toBe('');
});
