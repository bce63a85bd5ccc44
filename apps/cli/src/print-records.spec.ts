import { describe, expect, it } from '@jest/globals';
import { formatBytes } from './format-bytes.js';
import { formatCsvLine } from './format-csv.js';
import { formatRecord, formatRecords, formatTime, toCell } from './print-records.js';

interface Thing {
  name: string;
  size: number | null;
}
const FIELDS = { NAME: ({ name }: Thing) => name, SIZE: ({ size }: Thing) => size };

describe('records for people', () => {
  it('are a table, or a line per field that has a value', () => {
    const things = [
      { name: 'long name', size: 1 },
      { name: 'x', size: null },
    ];
    expect(formatRecords(things, FIELDS)).toBe('NAME       SIZE\nlong name  1\nx\n');
    expect(formatRecord(things[0] as Thing, FIELDS)).toBe('NAME  long name\nSIZE  1\n');
    expect(formatRecord(things[1] as Thing, FIELDS)).toBe('NAME  x\n');
  });

  it('have one line per value, without characters that control a terminal', () => {
    expect(toCell('a\n b\u001b[31mc\u202e')).toBe('a b [31mc');
    expect([true, false, null, undefined, 0, ['a', 1], { a: 1 }].map(toCell)).toEqual([
      ...['yes', 'no', '', '', '0', 'a, 1', '{"a":1}'],
    ]);
  });

  it('have times to the minute and sizes with a unit', () => {
    expect([formatTime('2026-11-26T11:34:45.385Z'), formatTime(null)]).toEqual(['2026-11-26 11:34', '']);
    expect([0, 999, 1000, 99_949, 99_950, 999_499, 999_500, 1.5e9].map(formatBytes)).toEqual([
      ...['0 B', '999 B', '1.0 kB', '99.9 kB', '100 kB', '999 kB', '1.0 MB', '1.5 GB'],
    ]);
  });
});

describe('a line of CSV', () => {
  it('quotes what needs quotes, and distinguishes a missing value from an empty text', () => {
    expect(formatCsvLine(['a', 'b,c', 'd"e', 'f\ng', null, '', 1, false, { a: 1 }])).toBe(
      'a,"b,c","d""e","f\ng",,"",1,false,"{""a"":1}"\n',
    );
  });
});
