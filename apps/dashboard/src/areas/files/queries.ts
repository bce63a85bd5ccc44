import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { File as StoredFile } from '@millrace/client';
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

/** A part of the files of a folder. */
interface FilePart {
  files: StoredFile[];
  /** Where the next part begins; undefined at the end. */
  nextPage?: number;
}

const FILES_PER_PAGE = 1_000;
/** A part ends with the page after which it has this many files. */
const FILES_PER_PART = 200;
/** A part has fewer files if most files are in subfolders. */
const MAX_PAGES_PER_PART = 5;

/**
 * The files of a folder, or, with `search`, those below it. The API lists a folder with everything below it, so this leaves out
 * the files of subfolders.
 */
export const filesQuery = (path: string, search: string, sort: FilesSort) =>
  infiniteQueryOptions({
    queryKey: ['files', 'files', path, search, sort],
    queryFn: async ({ signal, pageParam }): Promise<FilePart> => {
      const filter = { path, ordering: sort, ...(search !== '' && { search }) };
      const page_size = search === '' ? FILES_PER_PAGE : FILES_PER_PART;
      const files: StoredFile[] = [];
      for (let page = pageParam; ; page += 1) {
        const { results, next } = await client.files.list({ ...filter, page, page_size }, { signal });
        files.push(...results.filter((file) => search !== '' || (file.folder ?? '') === path));
        if (!next) return { files };
        const isEnough = files.length >= FILES_PER_PART || page - pageParam + 1 >= MAX_PAGES_PER_PART;
        if (isEnough) return { files, nextPage: page + 1 };
      }
    },
    initialPageParam: 1,
    getNextPageParam: ({ nextPage }) => nextPage,
  });

export const fileQuery = (id: string) =>
  queryOptions({ queryKey: ['files', 'file', id], queryFn: ({ signal }) => client.files.get(id, { signal }) });

export const usageQuery = queryOptions({
  queryKey: ['files', 'usage'],
  queryFn: ({ signal }) => client.files.usage({ signal }),
});

/** A list is a promise of its first page. A query function needs a real one. */
const listPage = async <Page>(list: PromiseLike<Page>): Promise<Page> => list;
