import { expect, it } from '@jest/globals';
import { strictSearch } from './strict-search.js';

const readPage = ({ page }: Record<string, unknown>): { page?: number } =>
  Number(page) > 0 ? { page: Number(page) } : {};

it('a field that the route does not read is undefined and does not keep the text of the address', () => {
  // As the router merges the result into the raw fields.
  const merge = (raw: Record<string, unknown>) => ({ ...raw, ...strictSearch(readPage)(raw) });
  expect(merge({ page: '3', next: 'https://evil.example' })).toEqual({ page: 3, next: undefined });
  expect(merge({ page: 'x' })).toEqual({ page: undefined });
});
