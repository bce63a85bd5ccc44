import { expect, it } from '@jest/globals';
import { MAX_COLUMNS } from '@millrace/contracts/datasets/datasets';
import { isRejection } from '../parsing/raw-row.js';
import { fitRows } from './fit-rows.js';
import { RowColumns } from './row-columns.js';

const row = (value: object) => ({
  line: 1,
  text: JSON.stringify(value),
  names: Object.keys(value),
  values: Object.values(value) as unknown[],
});

it('a row that is rejected takes no column from others', () => {
  const columns = new RowColumns([{ name: 'k', type: 'text', key: true }], false);
  const bad = Array.from({ length: 2 * MAX_COLUMNS }, (_, at) => row({ [`bad ${at}`]: 1 }));
  const { fitted, rejected } = fitRows(
    { rows: [...bad, row({ k: 'a', n: 1 }), row({ k: 'b', n: 2 })], untyped: false },
    columns,
  );
  expect(rejected).toHaveLength(bad.length);
  expect(rejected.every((one) => isRejection(one) && one.reason.includes("key's column"))).toBe(true);
  expect(fitted).toHaveLength(2);
  expect(columns.all.map(({ name, type }) => [name, type])).toEqual([
    ['k', 'text'],
    ['n', 'bigint'],
  ]);
});

it('columns are of a name each, whatever row that names them was rejected before', () => {
  const columns = new RowColumns([{ name: 'k', type: 'text', key: true }], false);
  const rows = [
    row({ a: 1, b: 1 }),
    row({ k: 'x', b: 1 }),
    row({ k: null, a: 1 }),
    row({ k: 'x', a: 1 }),
    row({ k: 'y', a: 2 }),
  ];
  expect(fitRows({ rows: rows, untyped: false }, columns).fitted).toHaveLength(3);
  expect(columns.all.map(({ name, isPresent }) => [name, isPresent])).toEqual([
    ['k', true],
    ['b', true],
    ['a', true],
  ]);
});
