import { expect, it } from '@jest/globals';
import { safeReturnPath } from './safe-return-path.js';

it.each(['/device', '/device?user_code=AB%20C', '/a/../b', '/'])('%s is a local path', (path) => {
  expect(safeReturnPath(path, '/fallback')).not.toBe('/fallback');
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
])('%j is not a local path', (value) => {
  expect(safeReturnPath(value, '/fallback')).toBe('/fallback');
});
