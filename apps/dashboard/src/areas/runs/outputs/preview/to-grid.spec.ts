import { expect, it } from '@jest/globals';
import { csvToGrid, jsonLinesToGrid } from './to-grid.js';

it('every row of a CSV file has a value for every column', () => {
  expect(csvToGrid('a,b\n1\n1,2,3\n', true)).toEqual({
    columns: ['a', 'b'],
    rows: [
      ['1', ''],
      ['1', '2'],
    ],
  });
});

it('a line that may be cut is left out', () => {
  expect(csvToGrid('a,b\n1,2\n3,', false).rows).toEqual([['1', '2']]);
  expect(jsonLinesToGrid('{"a":1}\n{"a":', false).rows).toEqual([['1']]);
});

it('the columns of JSON lines are the keys of all of them', () => {
  expect(jsonLinesToGrid('{"a":1,"b":{"c":[2]}}\nnot JSON\n\n[3]\n{"a":"x"}', true)).toEqual({
    columns: ['a', 'b', 'value'],
    rows: [
      ['1', '{"c":[2]}', ''],
      ['', '', 'not JSON'],
      ['', '', '[3]'],
      ['x', '', ''],
    ],
  });
});
