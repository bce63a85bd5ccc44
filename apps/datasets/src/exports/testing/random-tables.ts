import fc from 'fast-check';
import { COLUMN_TYPES, type ColumnType } from '@millrace/contracts/datasets/datasets';

/** A table with its rows, each value as a text that Postgres reads. */
export interface RandomTable {
  names: string[];
  types: ColumnType[];
  rows: (string | null)[][];
}

const HOSTILE = [
  '__proto__',
  'constructor',
  '_id',
  'select',
  'a"b',
  "a'b",
  '=cmd',
  '-x',
  'a,b',
  'a\nb',
  '\ufeffx',
  ' ',
  '$1',
  'ß',
  'ｅ',
];
const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/** What Postgres can hold: any character but NUL, and whole ones. */
const anyText = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', ''));
const hostileText = fc.oneof(
  anyText,
  fc.tuple(fc.constantFrom(...SIGNS), anyText).map((pair) => pair.join('')),
  fc.constantFrom('', '"', '""', '\\.', '\\N', 'NULL', 'a,b', 'a\r\nb', '\u0001\u0002', 'null', '\u2028', '\\u0041'),
);

const twoDigits = (max: number, min = 0) => fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const moment = fc
  .tuple(
    fc.integer({ min: 1, max: 9999 }),
    twoDigits(12, 1),
    twoDigits(28, 1),
    twoDigits(23),
    twoDigits(59),
    twoDigits(59),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(
    ([year, month, day, hour, minute, second, micros]) =>
      `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.${String(micros).padStart(6, '0')}Z`,
  );

const VALUES: Record<ColumnType, fc.Arbitrary<string>> = {
  text: hostileText,
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? '-0' : String(n))),
  boolean: fc.boolean().map(String),
  timestamp: moment,
  inet: fc.constantFrom('10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0'),
  uuid: fc.uuid(),
  json: fc
    .jsonValue({ stringUnit: 'binary' })
    .map((value) => JSON.stringify(value))
    .filter((json) => !json.includes('\\u0000')),
};

export const randomTable: fc.Arbitrary<RandomTable> = fc
  .uniqueArray(
    fc.record({
      name: fc.oneof(
        fc.constantFrom(...HOSTILE),
        anyText.filter((text) => text !== ''),
      ),
      type: fc.constantFrom(...COLUMN_TYPES),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 8 },
  )
  .chain((columns) =>
    fc.record({
      names: fc.constant(columns.map(({ name }) => name)),
      types: fc.constant(columns.map(({ type }) => type)),
      rows: fc.array(fc.tuple(...columns.map(({ type }) => fc.option(VALUES[type], { freq: 4 }))), { maxLength: 12 }),
    }),
  );
