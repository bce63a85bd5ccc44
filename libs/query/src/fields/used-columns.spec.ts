import { expect, it } from '@jest/globals';
import { parseOrder } from '../parse/parse-order.js';
import { parseQuery } from '../parse/parse-query.js';
import { checkQuery } from './check-query.js';
import { type Column } from './column.js';
import { orderedColumns, usedColumns } from './used-columns.js';

const columns: Column[] = [
  { name: 'a', type: 'text', sql: 'c1' },
  { name: 'b', type: 'bigint', sql: 'c2' },
  { name: 'j', type: 'json', sql: 'c3' },
];
const read = (query: string, order: string) =>
  [checkQuery(parseQuery(query), columns, { now: new Date(0) }), parseOrder(order, columns)] as const;
const used = (query: string, order = '') =>
  usedColumns(...read(query, order)).map(({ column, path, kind }) => `${[column, ...(path ?? [])].join('.')} ${kind}`);

it.each([
  ['a = x AND b > 1', ['a equality', 'b range']],
  ['a IN (x) AND a ~ y AND a LIKE "z%"', ['a equality', 'a trigram']],
  ['j.x.y = 1 AND j HAS z', ['j.x.y equality', 'j contains']],
  ['a = x OR b = 1', ['a equality', 'b equality']],
])('the query %s can use indexes', (query, expected) => {
  expect(used(query)).toEqual(expected);
});

it.each(['a != x', 'b ~ 4', 'j LIKE "%x"', 'a IS NULL', 'a = x OR b != 1', 'NOT (a = x AND b = 1)', ''])(
  'the query "%s" can use no index',
  (query) => {
    expect(used(query)).toEqual([]);
  },
);

it('a query can use an index on the first column of its order', () => {
  expect(used('a = x', '-b, a')).toEqual(['a equality', 'b order']);
});

it.each([
  ['a = x AND j.x = 1 AND b > 1', '-b, a', ['a']],
  ['(a = x AND a = y) AND (b = 1 AND a != z)', 'j', ['a', 'b']],
  ['a = x OR b = 1', 'j', []],
  ['a IN (x) AND NOT b = 1', 'j', []],
  ['a = x', 'a', []],
  ['a = x', 'j.x', []],
  ['a = x', '', []],
])('the query %s in the order "%s" can use an index on a column with one value', (query, order, expected) => {
  const found = orderedColumns(...read(query, order));
  expect(found.map(({ column }) => column)).toEqual(expected);
  for (const one of found) expect(one).toMatchObject({ kind: 'ordered', by: order.replace(/^-|,.*/g, '') });
});
