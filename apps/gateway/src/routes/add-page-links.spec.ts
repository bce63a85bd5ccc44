import { describe, expect, it } from '@jest/globals';
import { listQuery } from '@millrace/contracts/kit/list';
import { listSpaces } from '@millrace/contracts/workflows/spaces';
import { addPageLinks } from './add-page-links.js';

const url = new URL('https://millrace.example.org/api/spaces?page_size=10&search=a%26b');
const query = (page: number) =>
  listQuery(['name'], { ordering: 'name', filters: {} }).parse({ page: String(page), page_size: '10' });

describe('links of a page', () => {
  it('are absolute URLs that differ in `page` only', () => {
    expect(addPageLinks(listSpaces, { results: [], count: 25 }, query(2), url)).toMatchObject({
      next: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=3',
      previous: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=1',
    });
  });

  it('are null before the first and after the last page', () => {
    expect(addPageLinks(listSpaces, { results: [], count: 25 }, query(1), url)).toMatchObject({ previous: null });
    expect(addPageLinks(listSpaces, { results: [], count: 25 }, query(3), url)).toMatchObject({ next: null });
    expect(addPageLinks(listSpaces, { results: [], count: 0 }, query(1), url)).toMatchObject({
      next: null,
      previous: null,
    });
  });

  it('lead from beyond the last page back to the last page', () => {
    expect(addPageLinks(listSpaces, { results: [], count: 25 }, query(9), url)).toMatchObject({
      next: null,
      previous: expect.stringContaining('page=3') as unknown,
    });
  });

  it('lead to the next page by its cursor, and back by the number', () => {
    const requested = new URL(`${url.href}&cursor=old`);
    const links = addPageLinks(listSpaces, { results: [], count: 25, cursor: 'new' }, query(2), requested);
    expect(links).toMatchObject({
      next: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=3&cursor=new',
      previous: 'https://millrace.example.org/api/spaces?page_size=10&search=a%26b&page=1',
    });
    const last = addPageLinks(listSpaces, { results: [], count: 25, cursor: null }, query(2), requested);
    expect(last).toMatchObject({ next: null });
  });

  it('are left out if the contract types them as plain strings', () => {
    const plain = { ...listSpaces, list: 'optional-links' as const };
    expect(addPageLinks(plain, { results: [], count: 5 }, query(1), url)).toEqual({ results: [], count: 5 });
  });
});
