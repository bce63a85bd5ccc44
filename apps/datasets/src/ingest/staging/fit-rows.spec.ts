import { expect, it } from '@jest/globals';
import { MAX_COLUMNS } from '@millrace/contracts/datasets/datasets';
import { fitRows, explainUnstorable } from './fit-rows.js';
import { RowColumns } from './row-columns.js';

const row = (value: object) => ({
  line: 1,
  text: JSON.stringify(value),
  names: Object.keys(value),
  values: Object.values(value) as unknown[],
});

it('a rejected row does not use up columns', () => {
  const columns = new RowColumns([{ name: 'k', type: 'text', key: true }], false);
  const invalid = Array.from({ length: 2 * MAX_COLUMNS }, (_, at) => row({ [`column ${at}`]: 1 }));
  const { fitted, rejections } = fitRows(
    { rows: [...invalid, row({ k: 'a', n: 1 }), row({ k: 'b', n: 2 })], untyped: false },
    columns,
  );
  expect(rejections).toHaveLength(invalid.length);
  expect(rejections.every(({ reason }) => reason.includes('key column'))).toBe(true);
  expect(fitted).toHaveLength(2);
  expect(columns.all.map(({ name, type }) => [name, type])).toEqual([
    ['k', 'text'],
    ['n', 'bigint'],
  ]);
});

it('a column has one entry even if earlier rows with its name were rejected', () => {
  const columns = new RowColumns([{ name: 'k', type: 'text', key: true }], false);
  const rows = [
    row({ a: 1, b: 1 }),
    row({ k: 'x', b: 1 }),
    row({ k: null, a: 1 }),
    row({ k: 'x', a: 1 }),
    row({ k: 'y', a: 2 }),
  ];
  expect(fitRows({ rows, untyped: false }, columns).fitted).toHaveLength(3);
  expect(columns.all.map(({ name, isPresent }) => [name, isPresent])).toEqual([
    ['k', true],
    ['b', true],
    ['a', true],
  ]);
});

const explain = (cell: string) => explainUnstorable({ line: 1, text: cell, names: ['a'], values: [cell] }, true);

it('a cell of JSON with a NUL cannot be stored', () => {
  expect(explain('["\\u0000"]')).toContain('NUL');
});

it('a cell of JSON of any depth is examined', () => {
  const levels = 400_000;
  expect(explain(`${'['.repeat(levels)}"\\u0000"${']'.repeat(levels)}`)).toBeNull();
});
