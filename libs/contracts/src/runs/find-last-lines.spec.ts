import { expect, it } from '@jest/globals';
import { findLastLines } from './find-last-lines.js';

it.each([
  ['a\nb\nc\n', 1, 'c\n'],
  ['a\nb\nc', 1, 'c'],
  ['a\nb\nc\n', 2, 'b\nc\n'],
  ['a\nb\nc\n', 3, 'a\nb\nc\n'],
  ['a\nb\nc\n', 9, 'a\nb\nc\n'],
  ['\n\n\n', 2, '\n\n'],
  ['\na', 2, '\na'],
  ['', 5, ''],
  ['a\nb\n', 0, ''],
  ['a\nb', 0, ''],
])('findLastLines of %j with %d lines selects %j', (text, lines, expected) => {
  const bytes = Buffer.from(text);
  expect(bytes.subarray(findLastLines(bytes, lines)).toString()).toBe(expected);
});
