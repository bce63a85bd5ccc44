import { expect, it } from '@jest/globals';
import { shapeOf } from './shape-of.js';

it('shapeOf keeps keys and types and drops values', () => {
  expect(shapeOf({ a: 'x', b: 1, c: null, d: [true] })).toEqual({
    a: 'string',
    b: 'number',
    c: 'null',
    d: ['boolean'],
  });
});

it('shapeOf merges the elements of an array into one shape with all keys', () => {
  expect(shapeOf([{ a: 'x' }, { b: 1 }, { a: 'y' }])).toEqual([{ a: 'string', b: 'number' }]);
  expect(shapeOf(['a', 'b', 1])).toEqual(['string', 'number']);
  expect(shapeOf([])).toEqual([]);
});
