import type { ListQuery } from '@millrace/contracts/kit/list';
import type { AnyOperation } from '@millrace/contracts/kit/operation';

export interface Page {
  results: unknown[];
  count: number;
  /** Where the next page begins; null on the last page. Absent if the list is read by page numbers. */
  cursor?: string | null;
}

/**
 * Adds `next` and `previous` to a page: absolute URLs of the same request with another `page`; the next one also has the
 * cursor of this page. If there is no such page, the field is null, or missing for resources whose contract types it as a plain
 * string.
 */
export function addPageLinks(operation: AnyOperation, page: Page, query: ListQuery, url: URL): object {
  const last = Math.max(1, Math.ceil(page.count / query.page_size));
  const linkTo = (number: number, cursor?: string | null): string => {
    const link = new URL(url);
    link.searchParams.set('page', String(number));
    link.searchParams.delete('cursor');
    if (cursor) link.searchParams.set('cursor', cursor);
    return link.href;
  };
  const hasNext = page.cursor === undefined ? query.page < last : page.cursor !== null;
  const links = {
    next: hasNext ? linkTo(query.page + 1, page.cursor) : null,
    previous: query.page > 1 ? linkTo(Math.min(query.page - 1, last)) : null,
  };
  if (operation.list === 'nullable-links') return { ...page, ...links };
  return { ...page, ...Object.fromEntries(Object.entries(links).filter(([, link]) => link !== null)) };
}
