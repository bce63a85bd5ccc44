import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePart } from './decode-part.js';

it('parts of any text, cut anywhere, are together the text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 }).map((value) => value.toWellFormed());
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 9 }), (whole, size) => {
      const bytes = Buffer.from(whole);
      let read = '';
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + size);
        const decoded = decodePart(part, at + size >= bytes.length);
        expect(decoded.encoding).toBe('utf-8');
        read += decoded.text;
        at += part.length - decoded.remaining;
      }
      expect(read).toBe(whole);
    }),
  );
});

it('bytes that are not UTF-8 become base64', () => {
  expect(decodePart(Buffer.from([0xff, 0xfe, 0x00]), true)).toEqual({ text: '//4A', encoding: 'base64', remaining: 0 });
});
