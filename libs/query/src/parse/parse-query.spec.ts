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

describe('a printed query', () => {
  it('is parsed as the same query for random names and values', () => {
    const query = randomTable.chain((table) => randomQuery(table));
    fc.assert(
      fc.property(query, (expression) => {
        expect(withoutPositions(parseQuery(printQuery(expression)))).toEqual(withoutPositions(expression));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is equal to the text of the original query', () => {
    const text = 'NOT (a = 1 OR `b c`.d.`0 1` NOT IN ("x", y)) AND NOT NOT e IS NULL AND (f ~ "\\\\d" AND g HAS 1)';
    expect(printQuery(parseQuery(text)!)).toBe(text);
  });
});

describe('the limit', () => {
  const deep = (count: number) => `${'('.repeat(count)}a=1${')'.repeat(count)}`;

  it.each([
    ['characters', `a=1${' '.repeat(9_997)}`, `a=1${' '.repeat(9_998)}`, 'longer than 10000'],
    ['nesting', deep(100), deep(101), 'deeper than 100'],
    ['NOT', `${'NOT '.repeat(100)}a=1`, `${'NOT '.repeat(101)}a=1`, 'deeper than 100'],
    ['comparisons', `a=1${' or a=1'.repeat(199)}`, `a=1${' or a=1'.repeat(200)}`, 'more than 200 conditions'],
    ['a list', `a in (1${',1'.repeat(999)})`, `a in (1${',1'.repeat(1_000)})`, 'more than 1000 values'],
    ['a path', `a${'.b'.repeat(99)}=1`, `a${'.b'.repeat(100)}=1`, 'more than 100 parts'],
  ])('of %s rejects a longer query', (_, allowed, above, message) => {
    expect(parseQuery(allowed)).not.toBeNull();
    expect(errorOf(above).message).toContain(message);
  });

  it('of nesting does not add up adjacent parentheses', () => {
    expect(parseQuery(`${deep(50)} and ${deep(50)} and ${deep(50)}`)).toMatchObject({ kind: 'and' });
  });
});

describe('a syntax error', () => {
  it.each([
    ['', 'a = ', 4, ['a value'], 'ends where a value is expected, such as 443 or "a text"'],
    ['', 'a = )', 4, ['a value'], 'has ")" where a value is expected, such as 443 or "a text"'],
    ['', 'a = and', 4, ['a value'], 'has "and" where a value is expected, such as 443 or "a text"'],
    ['', 'a = `b`', 4, ['a value'], 'has `b` where a value is expected; write a value in single or double quotes'],
    ['', 'a = b c', 6, ['AND', 'OR', 'the end'], 'has "c" where "AND", "OR" or the end is expected'],
    [
      '',
      'a=x?y=z',
      5,
      ['AND', 'OR', 'the end'],
      'has "=" where "AND", "OR" or the end is expected; write a value with such characters in quotes',
    ],
    ['', 'a = "b', 4, ['"'], 'has a text that is not closed; end it with "'],
    [
      '',
      'a ! b',
      2,
      ['!=', '!~', 'NOT'],
      'has "!", which is not an operator; use != or !~, or begin the condition with NOT',
    ],
    ['', 'a IN 1', 5, ['('], 'has "1" where "(" is expected, as in port IN (80, 443)'],
    ['', 'a IN ()', 6, ['a value'], 'has ")" where a value is expected, such as 443 or "a text"'],
    [
      '',
      'AND a = 1',
      4,
      undefined,
      'has "a" where "=", "!=", ">", ">=", "<", "<=", "~", "!~", "IN", "NOT IN", "LIKE", "NOT LIKE", "HAS", "NOT HAS", "IS NULL" or "IS NOT NULL" is expected, as in port = 443',
    ],
    ['', 'a.', 2, ['a name after the dot'], 'ends where a name after the dot is expected'],
    [
      '',
      'a:b = 1',
      0,
      ['a name', '`a name`'],
      'write a name with characters other than letters, digits, _, $, @ and - in backticks: `a:b`',
    ],
    ['', 'a = "\0"', 5, [], 'contains a NUL character'],
    ['', 'a = \ud800', 4, [], 'contains half of a surrogate pair'],
  ])('has a position, a message and the expected tokens: %s%j', (_, text, position, expected, message) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ part: 'q', position, message });
    if (expected !== undefined) expect(error.expected).toEqual(expected);
  });
});
