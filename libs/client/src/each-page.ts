import type { LooseInput } from './call-input.js';

export interface Page {
  results: unknown[];
  next?: string | null;
  /** Where the next page begins. Without it, only the number of the page says so. */
  cursor?: string | null;
}

/** `links`: pages have numbers and say in `next` whether another follows. `cursor`: the cursor of a page leads to the next one. */
export type PageKind = 'links' | 'cursor';

/** How the pages of a list are requested. */
export interface Paging {
  pages?: PageKind;
  /** The largest page of the list. */
  maxPageSize?: number;
}

/**
 * Requests a list page by page, from the page that the query names.
 * @param query without `page_size`, the pages are as large as possible
 */
export async function* eachPage(
  requestPage: (input: LooseInput) => Promise<unknown>,
  input: LooseInput,
  { pages = 'links', maxPageSize = 1000 }: Paging,
): AsyncGenerator<Page, void> {
  const query = { page_size: maxPageSize, ...(input.query as { page?: number } | undefined) };
  let place: { cursor?: string } = {};
  for (let page = query.page ?? 1; ; page += 1) {
    const number = pages === 'links' && { page };
    const current = (await requestPage({ ...input, query: { ...query, ...number, ...place } })) as Page;
    yield current;
    if (pages === 'links' ? !current.next : !current.cursor) return;
    place = current.cursor ? { cursor: current.cursor } : {};
  }
}
