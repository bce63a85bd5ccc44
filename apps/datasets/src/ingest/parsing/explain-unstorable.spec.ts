import { expect, it } from '@jest/globals';
import { explainUnstorable } from './explain-unstorable.js';

const why = (cell: string) => explainUnstorable({ line: 1, text: cell, names: ['a'], values: [cell] }, true);

it('a cell of JSON with a NUL cannot be stored', () => {
  expect(why('["\\u0000"]')).toContain('NUL');
});

it('a cell of JSON of any depth is examined', () => {
  const levels = 400_000;
  expect(why(`${'['.repeat(levels)}"\\u0000"${']'.repeat(levels)}`)).toBeNull();
});
