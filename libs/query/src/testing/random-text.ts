import fc from 'fast-check';
import { type Column, COLUMN_TYPES } from '../fields/column.js';
import { SYMBOL_OPERATORS, WORD_OPERATORS } from '../parse/expression.js';
import { quoteName } from '../parse/read-reference.js';
import { printQuery, quoteValue } from './print-query.js';
import { randomQuery } from './random-query.js';
import { HOSTILE_NAMES } from './random-table.js';

/** A part of names and values that must never appear in SQL. */
export const MARK = 'qZq';

/** Columns of all types with hostile names. */
export const HOSTILE_COLUMNS: Column[] = [...HOSTILE_NAMES, MARK, `${MARK}"; --`, `${MARK}' OR 1=1`, `\`${MARK}`].map(
  (name, at) => ({ name, type: COLUMN_TYPES[at % COLUMN_TYPES.length]!, sql: `c${at}` }),
);

const PIECES = [
  ...HOSTILE_COLUMNS.flatMap(({ name }) => [name, quoteName(name), quoteValue(name), `-${name}`]),
  ...[
    ...SYMBOL_OPERATORS,
    ...WORD_OPERATORS,
    'AND',
    'OR',
    'NOT',
    'IS',
    'NULL',
    '(',
    ')',
    ',',
    '.',
    '-',
    '!',
    '[]',
    ':',
    '*',
  ],
  ...['1h', '1M', '100', '0.5', 'count', 'count(', 'distinct(', 'min(', 'max(', 'sum(', 'avg(', '1e999', '-0', '1e6'],
  ...[
    'true',
    'null',
    'now-7d',
    'now+9999999w',
    '2026-02-29',
    '10.0.0.0/8',
    '::1',
    `${MARK}'--`,
    `"${MARK}`,
    "'",
    '"',
    '`',
  ],
  ...[
    '\\',
    '\0',
    '\ud800',
    '"(a+)+$"',
    "'%\\'",
    '$1',
    '::text',
    ';',
    '--',
    '/*',
    '99999999999999999999',
    '.0',
    'a.b.c',
  ],
];

/** Pieces of the language in random order, which is sometimes a valid query. */
const sequence = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', '')), { maxLength: 14 })
  .map((pieces) => pieces.map((piece) => piece.join('')).join(''));

/** A valid query with a few changes. */
const mutated = fc
  .tuple(
    randomQuery({ columns: HOSTILE_COLUMNS, rows: [] }).map(printQuery),
    fc.array(fc.tuple(fc.nat(200), fc.nat(8), fc.constantFrom('', '', ...PIECES)), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((all, [at, length, piece]) => all.slice(0, at) + piece + all.slice(at + length), text),
  );

/** Random UTF-16, including lone surrogates and NUL. */
const garbage = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0xffff), fc.constantFrom(0xd800, 0xdc00, 0)), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units));

export const randomText = fc.oneof({ weight: 4, arbitrary: sequence }, { weight: 3, arbitrary: mutated }, garbage);
