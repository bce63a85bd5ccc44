import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { printQuery } from '../testing/print-query.js';
import { randomQuery } from '../testing/random-query.js';
import { randomTable } from '../testing/random-table.js';
import { type Expression } from './expression.js';
import { parseQuery } from './parse-query.js';
import { QueryError } from './query-error.js';

const withoutPositions = (expression: Expression | null): unknown =>
  JSON.parse(JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? undefined : value)));

function errorOf(text: string): QueryError {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('was read');
}

describe('a query that is printed', () => {
  it('is read as the same, whatever its names and values are', () => {
    const query = randomTable.chain((table) => randomQuery(table));
    fc.assert(
      fc.property(query, (expression) => {
        expect(withoutPositions(parseQuery(printQuery(expression)))).toEqual(withoutPositions(expression));
      }),
      { numRuns: 1_000 },
    );
  });

  it('stays as it is when it is printed again', () => {
    const text = 'NOT (a = 1 OR `b c`.d.`0 1` NOT IN ("x", y)) AND NOT NOT e IS NULL AND (f ~ "\\\\d" AND g HAS 1)';
    expect(printQuery(parseQuery(text)!)).toBe(text);
  });
});

describe('bounds', () => {
  const deep = (count: number) => `${'('.repeat(count)}a=1${')'.repeat(count)}`;

  it.each([
    ['characters', `a=1${' '.repeat(9_997)}`, `a=1${' '.repeat(9_998)}`, 'longer than 10000'],
    ['nesting', deep(100), deep(101), 'deeper than 100'],
    ['NOT', `${'NOT '.repeat(100)}a=1`, `${'NOT '.repeat(101)}a=1`, 'deeper than 100'],
    ['comparisons', `a=1${' or a=1'.repeat(199)}`, `a=1${' or a=1'.repeat(200)}`, 'more than 200 conditions'],
    ['a list', `a in (1${',1'.repeat(999)})`, `a in (1${',1'.repeat(1_000)})`, 'more than 1000 values'],
    ['a path', `a${'.b'.repeat(99)}=1`, `a${'.b'.repeat(100)}=1`, 'more than 100 parts'],
  ])('%s', (_, allowed, above, message) => {
    expect(parseQuery(allowed)).not.toBeNull();
    expect(errorOf(above).message).toContain(message);
  });

  it('hold side by side as often as one likes', () => {
    expect(parseQuery(`${deep(50)} and ${deep(50)} and ${deep(50)}`)).toMatchObject({ kind: 'and' });
  });
});

describe('an error says where it is and what was expected', () => {
  it.each([
    ['', 'a = ', 4, ['a value'], 'a value expected, but the text ends'],
    ['', 'a = )', 4, ['a value'], 'a value expected, but found ")"'],
    ['', 'a = and', 4, ['a value'], 'a value expected, but found "and"'],
    ['', 'a = `b`', 4, ['a value'], 'a value expected, but found `b`; write a value in single or double quotes'],
    ['', 'a = b c', 6, ['AND', 'OR', 'the end'], 'AND, OR or the end expected, but found "c"'],
    [
      '',
      'a=x?y=z',
      5,
      ['AND', 'OR', 'the end'],
      'AND, OR or the end expected, but found "="; write a value with such characters in quotes',
    ],
    ['', 'a = "b', 4, ['"'], 'the quote " is not closed'],
    ['', 'a ! b', 2, ['!=', '!~', 'NOT'], '"!" is not an operator'],
    ['', 'a IN 1', 5, ['('], '( expected, but found "1"'],
    ['', 'a IN ()', 6, ['a value'], 'a value expected, but found ")"'],
    [
      '',
      'AND a = 1',
      4,
      undefined,
      '=, !=, >, >=, <, <=, ~, !~, IN, NOT IN, LIKE, NOT LIKE, HAS, NOT HAS, IS NULL or IS NOT NULL expected, but found "a"',
    ],
    ['', 'a.', 2, ['a name after the dot'], 'a name after the dot expected, but the text ends'],
    [
      '',
      'a:b = 1',
      0,
      ['a name', '`a name`'],
      'write a name with characters other than letters, digits, _, $, @ and - in backticks: `a:b`',
    ],
    ['', 'a = "\0"', 5, [], 'contains a NUL character'],
    ['', 'a = \ud800', 4, [], 'contains half of a surrogate pair'],
  ])('%s%j', (_, text, position, expected, message) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ part: 'q', position, message });
    if (expected !== undefined) expect(error.expected).toEqual(expected);
  });
});
