import fc from 'fast-check';
import { type Column, COLUMN_TYPES, type ColumnType } from '../fields/column.js';
import { formatMoment } from '../values/moment.js';
import { type Row } from './read-guide.js';

/** Names that break code which treats them as keys, keywords or SQL. */
export const HOSTILE_NAMES = [
  ...['__proto__', 'constructor', 'toString', 'in', 'not', 'NOT', 'null', 'select', 'count', 'a', 'A', 'a.b', 'a.b.c'],
  ...['', ' ', '-a', '*', '$1', '"', "'", '`', '``', '\\', '"; DROP TABLE t; --', '🜁', 'Ä', 'ä', 'é', 'e\u0301', '\n'],
  ...['x'.repeat(200), 'tech[]', 'time:1h', 'host', '_id', 'f0', 'now-7d', '0', 'odd name'],
];

const HOSTILE_TEXTS = [
  ...['', 'a', 'A', 'ab', 'b', '%', '_', '\\', '\\%', '"', "'", '`', 'null', 'true', '443', 'now', '\uffff', '🜁', 'é'],
  ...['a\nb', "'; DROP TABLE t; --", '$1', '{}', '[1]', '2026-01-01', '10.0.0.1', 'z'.repeat(300)],
];

export const randomText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

const randomJson = fc.letrec<{ any: unknown; list: unknown; record: unknown; scalar: unknown }>((tie) => ({
  scalar: fc.oneof(
    fc.constantFrom(0, 1, -1, 443, 1.5, 1e21, 1e-7, 2 ** 53 - 1),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    randomText,
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  record: fc.dictionary(fc.constantFrom('a', 'b', 'tls', '0', '-1', 'odd key', '__proto__', 'é', 'bb'), tie('any'), {
    maxKeys: 4,
  }),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: tie('scalar') },
    tie('list'),
    tie('record'),
  ),
})).any;

const VALUES: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  text: randomText,
  bigint: fc.oneof(
    fc.constantFrom<number | string>(0, 1, -1, 443, '9223372036854775807', '-9223372036854775808', '9007199254740993'),
    fc.integer({ min: -5, max: 5 }),
  ),
  double: fc.oneof(
    fc.constantFrom(0, 1, -1.5, 0.1, 1e15, 123456789012345.6, 1e-4, 9.9e-5, 1.7976931348623157e308, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  ),
  boolean: fc.boolean(),
  timestamp: fc.oneof(
    fc.constantFrom('2026-06-15T12:00:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999999Z'),
    fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }).map(formatMoment),
  ),
  inet: fc.oneof(
    fc.constantFrom(
      '10.0.0.1',
      '10.0.0.0/8',
      '10.1.0.0/16',
      '10.1.2.3/16',
      '0.0.0.0/0',
      '255.255.255.255',
      '::',
      '::1',
    ),
    fc.constantFrom('2001:db8::7', '2001:db8::/32', '2001:db8::7/64', '::ffff:1.2.3.4', 'fe80::1:2:3:4', '::/0'),
    fc.ipV4(),
  ),
  uuid: fc.oneof(fc.constantFrom('00000000-0000-0000-0000-000000000000'), fc.uuid()),
  json: randomJson,
};

export interface RandomTable {
  columns: Column[];
  rows: Row[];
}

/** A table of any types and names, with values missing and repeated. */
export const randomTable: fc.Arbitrary<RandomTable> = fc
  .uniqueArray(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...HOSTILE_NAMES) }, fc.string({ maxLength: 8 })), {
    minLength: 1,
    maxLength: 8,
  })
  .chain((names) => fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), type: anyType }))))
  .map((list) => list.map(({ name, type }, at): Column => ({ name, type, sql: `c${at}` })))
  .chain((columns) =>
    fc.record({ columns: fc.constant(columns), rows: fc.array(randomRow(columns), { maxLength: 25 }) }),
  );

const anyType = fc.constantFrom(...COLUMN_TYPES);

const randomRow = (columns: Column[]): fc.Arbitrary<Row> =>
  fc
    .tuple(...columns.map(({ type }) => fc.option(VALUES[type], { freq: 5 })))
    .map((values) => new Map(columns.map(({ name }, at) => [name, values[at]])));

export const randomValue = (type: ColumnType): fc.Arbitrary<unknown> => VALUES[type];
