import { expect, it } from '@jest/globals';
import { explainUnstorable } from './explain-unstorable.js';

const why = (cell: string) => explainUnstorable({ line: 1, text: cell, names: ['a'], values: [cell] }, true);

it('a cell that holds JSON with a NUL is not kept', () => {
  expect(why('["\\u0000"]')).toContain('NUL');
});

it('a cell that holds JSON of any depth is looked at', () => {
  const levels = 400_000;
  expect(why(`${'['.repeat(levels)}"\\u0000"${']'.repeat(levels)}`)).toBeNull();
});
