import { expect, it } from '@jest/globals';
import { ownPath } from './safe-return-path.js';

it.each(['/device', '/device?user_code=AB%20C', '/a/../b', '/'])('%s is ours', (path) => {
  expect(ownPath(path, 'no')).not.toBe('no');
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  'device',
  '',
  undefined,
  ['/device'],
  `/${'x'.repeat(2_000)}`,
])('%j is not', (given) => {
  expect(ownPath(given, 'no')).toBe('no');
});
