import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkQuery } from '../fields/check-query.js';
import { evaluate } from '../testing/evaluate.js';
import { NOW, readGuide } from '../testing/read-guide.js';
import { parseQuery } from './parse-query.js';
import { QueryError } from './query-error.js';

const { columns, rows, examples } = readGuide(
  readFileSync(new URL('../../../../docs/reference/query-language.md', import.meta.url), 'utf8'),
);
const check = (query: string) => checkQuery(parseQuery(query), columns, { now: NOW });

describe('the evaluator returns the rows of the guide for the query', () => {
  it.each(examples.filter(({ error }) => error === undefined))('$query', ({ query, rows: expected }) => {
    const condition = check(query);
    expect(rows.filter((row) => evaluate(condition, row)).map((row) => row.get('_row'))).toEqual(expected);
  });
});

describe('the parser rejects the query at the position in the guide', () => {
  it.each(examples.filter(({ error }) => error !== undefined))('$query', ({ query, error }) => {
    expect(() => check(query)).toThrow(QueryError);
    expect(() => check(query)).toThrow(expect.objectContaining({ part: 'q', position: error }));
  });
});
