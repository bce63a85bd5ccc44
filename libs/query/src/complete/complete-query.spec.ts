import { describe, expect, it } from '@jest/globals';
import { type Column, COLUMN_TYPES } from '../fields/column.js';
import { parseQuery } from '../parse/parse-query.js';
import { QueryError } from '../parse/query-error.js';
import { completeQuery } from './complete-query.js';

const columns: Column[] = [
  ...COLUMN_TYPES.map((type, at) => ({ name: `${type}_1`, type, sql: `c${at}` })),
  { name: 'odd name', type: 'text', sql: 'c9' },
  { name: 'not', type: 'text', sql: 'c10' },
];

/** The cursor is at `|`. */
const complete = (text: string) => completeQuery(text.replace('|', ''), text.indexOf('|'), columns);
const labels = (text: string): string[] => complete(text).items.map(({ label }) => label);
/** The text after the user has accepted an item. */
const accept = (text: string, label: string): string => {
  const { from, to, items } = complete(text);
  const insert = items.find((item) => item.label === label)!.insert;
  const whole = text.replace('|', '');
  return whole.slice(0, from) + insert + whole.slice(to);
};

describe('the completion', () => {
  it('suggests columns at the start of a comparison', () => {
    expect(labels('|')).toEqual([...columns.map(({ name }) => name), 'NOT', '(']);
    expect(labels('text_1 = a AND (te|')).toEqual(['text_1']);
    expect(labels('NOT BI|')).toEqual(['bigint_1']);
  });

  it('inserts names in backticks if they need them', () => {
    expect(accept('od|', 'odd name')).toBe('`odd name`');
    expect(accept('`od|', 'odd name')).toBe('`odd name`');
    expect(accept('no|', 'not')).toBe('`not`');
    expect(accept('no|', 'NOT')).toBe('NOT');
  });

  it('suggests the operators of the type of the column', () => {
    expect(labels('boolean_1 |')).not.toContain('>');
    expect(labels('bigint_1 |')).toContain('>');
    expect(labels('bigint_1 |')).not.toContain('HAS');
    expect(labels('json_1.a |')).toContain('HAS');
    expect(labels('(boolean_1 = true AND `odd name` is n|')).toEqual(['IS NULL', 'IS NOT NULL']);
    expect(accept('text_1 not|', 'NOT IN')).toBe('text_1 NOT IN (');
    expect(accept('text_1  is  not|', 'IS NOT NULL')).toBe('text_1  IS NOT NULL');
  });

  it('suggests values of types that have few', () => {
    expect(labels('boolean_1 = |')).toEqual(['true', 'false', 'null']);
    expect(labels('boolean_1 IN (true, |')).toEqual(['true', 'false']);
    expect(labels('timestamp_1 > now-|')).toEqual(['now-1h', 'now-1d', 'now-7d', 'now-30d']);
    expect(labels('text_1 = "a|')).toEqual([]);
  });

  it('suggests AND, OR and closing symbols after a comparison', () => {
    expect(labels('text_1 = a |')).toEqual(['AND', 'OR']);
    expect(labels('(text_1 = a |')).toEqual(['AND', 'OR', ')']);
    expect(labels('text_1 IN (a |')).toEqual([',', ')']);
  });

  it('suggests nothing after an error, which it reports', () => {
    expect(complete('text_1 == a AND |')).toMatchObject({ items: [], error: { position: 8, expected: ['a value'] } });
    expect(complete('|bigint_1 = x').error).toMatchObject({ position: 11 });
    expect(complete('bigint_1 = 1|').error).toBeUndefined();
  });
});

describe('an accepted suggestion', () => {
  const queries = [
    'NOT (text_1 = a OR `odd name` IN ("x", y)) AND json_1.a.`b c` HAS 3 AND boolean_1 != true',
    'timestamp_1 >= now-7d AND inet_1 NOT IN (10.0.0.0/8) OR uuid_1 IS NOT NULL and text_1 NOT LIKE "%x"',
    'text_1 ~ "(a|b)+$" AND bigint_1 < 5',
  ];
  const places = queries.flatMap((query) => Array.from(query, (_, at) => [query, at] as const));

  it('results in the beginning of a valid query', () => {
    let suggested = 0;
    for (const [query, at] of places) {
      const { from, to, items } = completeQuery(query, at, columns);
      expect(to).toBe(at);
      for (const { insert } of items) {
        const text = `${query.slice(0, from)}${insert} `;
        expect([text, errorBeforeEnd(text)]).toEqual([text, undefined]);
        suggested += 1;
      }
    }
    expect(suggested).toBeGreaterThan(500);
  });
});

/** Returns an error that more text after the query cannot fix. */
function errorBeforeEnd(text: string): string | undefined {
  try {
    parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return error.position < text.trimEnd().length ? error.message : undefined;
  }
  return undefined;
}
