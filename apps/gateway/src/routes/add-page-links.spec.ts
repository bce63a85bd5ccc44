import { describe, expect, it } from '@jest/globals';
import { listQuery } from '@millrace/contracts/kit/list';
import { listSpaces } from '@millrace/contracts/workflows/spaces';
import { addLinks } from './add-page-links.js';

const url = new URL('https://millrace.example.org/api/spaces?page_size=10&search=a%26b');
const query = (page: number) =>
  listQuery(['name'], { ordering: 'name', filters: {} }).parse({ page: String(page), page_size: '10' });

describe('links of a page', () => {
  it('are absolute, and change nothing but the page', () => {
    expect(addLinks(listSpaces, { results: [], count: 25 }, query(2), url)).toMatchObject({
      next: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=3',
      previous: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=1',
    });
  });

  it('end at both ends', () => {
    expect(addLinks(listSpaces, { results: [], count: 25 }, query(1), url)).toMatchObject({ previous: null });
    expect(addLinks(listSpaces, { results: [], count: 25 }, query(3), url)).toMatchObject({ next: null });
    expect(addLinks(listSpaces, { results: [], count: 0 }, query(1), url)).toMatchObject({
      next: null,
      previous: null,
    });
  });

  it('lead back from beyond the last page', () => {
    expect(addLinks(listSpaces, { results: [], count: 25 }, query(9), url)).toMatchObject({
      next: null,
      previous: expect.stringContaining('page=3') as unknown,
    });
  });

  it('are left out where the contract types them as plain strings', () => {
    const plain = { ...listSpaces, list: 'optional-links' as const };
    expect(addLinks(plain, { results: [], count: 5 }, query(1), url)).toEqual({ results: [], count: 5 });
  });
});
