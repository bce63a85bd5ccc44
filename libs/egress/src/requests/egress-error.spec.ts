import { expect, it } from '@jest/globals';
import { readRetryAfter } from './egress-error.js';

it.each([
  ['7', 7_000],
  ['0', 0],
  ['Sun, 22 Nov 2026 14:00:30 GMT', 30_000],
  ['Sun, 22 Nov 2026 13:00:00 GMT', 0],
  ['', null],
  ['soon', null],
  ['9'.repeat(400), null],
])('readRetryAfter parses %j as %p ms', (text, ms) => {
  expect(readRetryAfter(text, Date.parse('2026-11-22T14:00:00Z'))).toBe(ms);
});
