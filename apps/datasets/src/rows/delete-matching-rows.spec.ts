import { expect, it } from '@jest/globals';
import { toPrismaSql } from './delete-matching-rows.js';

it('toPrismaSql binds each value at its number, also repeated and out of order', () => {
  const statement = toPrismaSql({ text: 'a = $2::bigint AND b = $1 OR c = $2', values: ['one', '$1'] });
  expect(statement.text).toBe('a = $1::bigint AND b = $2 OR c = $3');
  expect(statement.values).toEqual(['$1', 'one', '$1']);
});

it('toPrismaSql does not change a statement without values', () => {
  expect(toPrismaSql({ text: 'SELECT 1', values: [] })).toMatchObject({ text: 'SELECT 1', values: [] });
});
