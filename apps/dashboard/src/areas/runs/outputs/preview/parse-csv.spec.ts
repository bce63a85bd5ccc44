import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCsv } from './parse-csv.js';

it.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n"x;y";2',
    [
      ['a', 'b'],
      ['x;y', '2'],
    ],
  ],
  [
    'a\tb\n\t',
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['"two\nlines","say ""hi"""\n', [['two\nlines', 'say "hi"']]],
  ['"not closed,1', [['not closed,1']]],
  ['', []],
])('%j is %j', (text, rows) => {
  expect(parseCsv(text, 100)).toEqual(rows);
});

it('at most the given number of rows is read', () => {
  expect(parseCsv('a\nb\nc\nd', 2)).toEqual([['a'], ['b']]);
});

it('what was written is read again', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é', '\t', ';') });
  // The first line has two commas more than anything else.
  const rows = fc.array(fc.tuple(field, field, field), { minLength: 1 });
  fc.assert(
    fc.property(rows, (records) => {
      const table = [['a', 'b', 'c'], ...records];
      const text = table.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\n');
      expect(parseCsv(text, Infinity)).toEqual(table);
    }),
  );
});
