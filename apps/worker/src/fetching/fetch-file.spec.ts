import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseFileName } from './fetch-file.js';

it.each([
  ['https://example.org/lists/words.txt?x=1#y', 'words.txt'],
  ['https://example.org/a%20b.csv', 'a b.csv'],
  ['https://example.org/', 'download'],
  ['https://example.org/%2e%2e', 'download'],
  ['https://example.org/..%2f..%2fetc%2fpasswd', '.._.._etc_passwd'],
  ['https://example.org/%00%0a', '__'],
  ['https://example.org/100%', '100%'],
])('a file fetched from %s is named %s', (url, name) => expect(chooseFileName(url)).toBe(name));

it('the name of a fetched file is a single path segment for every URL', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'binary' }), (url, more) => {
      const name = chooseFileName(new URL(`/${encodeURIComponent(more.toWellFormed())}`, url).href);
      expect(name).not.toMatch(/[/\0]|^\.{0,2}$/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }),
  );
});
