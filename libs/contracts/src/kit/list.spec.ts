import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toErrorDetails } from './api-error.js';
import { listQuery } from './list.js';

const query = listQuery(['name', 'created_date'], {
  ordering: '-created_date',
  filters: { space: z.string().optional() },
});
const problems = (value: object): string[] => {
  const parsed = query.safeParse(value);
  return parsed.success ? [] : Object.keys(toErrorDetails(parsed.error, 'query'));
};

describe('a list query', () => {
  it('has a default for every parameter', () => {
    expect(query.parse({})).toEqual({
      page: 1,
      page_size: 200,
      search: '',
      ordering: [{ field: 'created_date', descending: true }],
    });
  });

  it('orders by several fields, each in its own direction', () => {
    expect(query.parse({ ordering: 'name,-created_date' }).ordering).toEqual([
      { field: 'name', descending: false },
      { field: 'created_date', descending: true },
    ]);
  });

  it.each([
    [{ page: '0' }, 'query.page'],
    [{ page: '1.5' }, 'query.page'],
    [{ page: 'x' }, 'query.page'],
    [{ page_size: '1001' }, 'query.page_size'],
    [{ ordering: 'password' }, 'query.ordering'],
    [{ search: 'a\0' }, 'query.search'],
    [{ unknown: '1' }, 'query.unknown'],
  ])('rejects %j and names the parameter', (value, place) => {
    expect(problems(value)).toEqual([place]);
  });
});
