import { expect, it } from '@jest/globals';
import { highlight } from './highlight.js';

const draw = (texts: string[], searched: string) =>
  highlight(
    texts.map((text, place) => ({ text, className: `c${place}` })),
    searched,
  ).map(({ text, className, isMatch }) => `${className}:${isMatch ? `[${text}]` : text}`);

it.each([
  [['an error here'], 'ERROR', ['c0:an ', 'c0:[error]', 'c0: here']],
  [['an er', 'ror'], 'error', ['c0:an ', 'c0:[er]', 'c1:[ror]']],
  [['aaa'], 'a', ['c0:[a]', 'c0:[a]', 'c0:[a]']],
  [['nothing'], 'x', ['c0:nothing']],
  [['all'], '', ['c0:all']],
])('%j with %j is %j', (texts, searched, expected) => {
  expect(draw(texts, searched)).toEqual(expected);
});
