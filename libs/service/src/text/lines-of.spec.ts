import { expect, it } from '@jest/globals';
import { linesOf } from './lines-of.js';

it.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\nä\n\nb', ['a', 'ä', 'b']],
  ['\n\n', []],
])('linesOf(%j) yields %j', (text, lines) => {
  expect([...linesOf(Buffer.from(text))]).toEqual(lines);
});
