import type { ListQuery } from '@millrace/contracts/kit/list';
import type { AnyOperation } from '@millrace/contracts/kit/operation';

interface Page {
  results: unknown[];
  count: number;
}

/**
 * Adds `next` and `previous` to a page: absolute URLs of the same request with another `page`. If there is no such page, the
 * field is null, or missing for resources whose contract types it as a plain string.
 */
export function addPageLinks(operation: AnyOperation, page: Page, query: ListQuery, url: URL): object {
  const last = Math.max(1, Math.ceil(page.count / query.page_size));
  const linkTo = (number: number): string => {
    const link = new URL(url);
    link.searchParams.set('page', String(number));
    return link.href;
  };
  const links = {
    next: query.page < last ? linkTo(query.page + 1) : null,
    previous: query.page > 1 ? linkTo(Math.min(query.page - 1, last)) : null,
  };
  if (operation.list === 'nullable-links') return { ...page, ...links };
  return { ...page, ...Object.fromEntries(Object.entries(links).filter(([, link]) => link !== null)) };
}
