import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import type { FilesSort } from './search.js';

const FOLDERS_PER_PAGE = 200;

export const foldersQuery = (path: string, search: string, isDescending: boolean) =>
  infiniteQueryOptions({
    queryKey: ['files', 'folders', path, search, isDescending],
    queryFn: ({ signal, pageParam: page }) => {
      const ordering = isDescending ? '-path' : 'path';
      const query = { path, page, page_size: FOLDERS_PER_PAGE, ordering, ...(search !== '' && { search }) };
      return listPage(client.folders.list(query, { signal }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }, _, page) => (next ? page + 1 : undefined),
  });

const FILES_PER_PAGE = 200;

/** The files directly in a folder, or, with `search`, those in it and below it. */
export const filesQuery = (folder: string, search: string, ordering: FilesSort) =>
  infiniteQueryOptions({
    queryKey: ['files', 'files', folder, search, ordering],
    queryFn: ({ signal, pageParam: page }) => {
      const place = search === '' ? { folder } : { path: folder, search };
      return listPage(client.files.list({ ...place, ordering, page, page_size: FILES_PER_PAGE }, { signal }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }, _, page) => (next ? page + 1 : undefined),
  });

export const fileQuery = (id: string) =>
  queryOptions({ queryKey: ['files', 'file', id], queryFn: ({ signal }) => client.files.get(id, { signal }) });

export const usageQuery = queryOptions({
  queryKey: ['files', 'usage'],
  queryFn: ({ signal }) => client.files.usage({ signal }),
});

/** A list is a promise of its first page. A query function needs a real one. */
const listPage = async <Page>(list: PromiseLike<Page>): Promise<Page> => list;
