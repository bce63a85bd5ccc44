import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { localPath } from './local-path.js';

it.each([
  ['/runs/7?tab=logs#line-3', '/runs/7?tab=logs#line-3'],
  ['/', '/'],
  ['https://evil.example', '/'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [undefined, '/'],
  [7, '/'],
])('localPath(%p) is %s', (value, expected) => {
  expect(localPath(value)).toBe(expected);
});

it('a local path never leads to another origin', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('/', '\\', 'a', ':', '.', '\t', '\n', '@', '?', '#') }), (text) => {
      expect(new URL(localPath(text), 'http://server.test').origin).toBe('http://server.test');
    }),
  );
});
