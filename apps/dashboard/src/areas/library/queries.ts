import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import type { LibrarySearch } from './search.js';

const PAGE_SIZE = 100;

const nextPage = ({ next }: { next?: string | null }, _: unknown, page: number) => (next ? page + 1 : undefined);

export const modulesQuery = ({ q, kind, category, source }: LibrarySearch) =>
  infiniteQueryOptions({
    queryKey: ['library', 'modules', { q, kind, category, source }],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.modules.list(
        {
          page,
          page_size: PAGE_SIZE,
          // Without an order, the best match comes first.
          ...(q === undefined ? { ordering: 'category,name' } : { search: q }),
          ...(kind && { type: kind }),
          ...(category !== undefined && { category }),
          ...(source && { built_in: source === 'built-in' ? 'true' : 'false' }),
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });

export const categoriesQuery = queryOptions({
  queryKey: ['library', 'categories'],
  queryFn: async ({ signal }) => (await client.modules.listCategories({ signal })).results,
  staleTime: 60_000,
});

export const moduleQuery = (id: string) =>
  queryOptions({ queryKey: ['library', 'module', id], queryFn: ({ signal }) => client.modules.get(id, { signal }) });

export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'module', id, 'versions'],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.modules.listVersions(id, { page, page_size: 50, ordering: '-number' }, { signal }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

export const usesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['library', 'module', id, 'uses'],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.modules.listUses(id, { page, page_size: 50, ordering: 'name' }, { signal }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

export const publishedListQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['library', 'published', { q }],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.snapshots.listPublished(
        { page, page_size: 50, ordering: '-created_date', ...(q !== undefined && { search: q }) },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });

export const publishedQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'published', id],
    queryFn: ({ signal }) => client.snapshots.getPublished(id, { signal }),
  });

export const projectsQuery = (space: string) =>
  queryOptions({
    queryKey: ['library', 'projects', space],
    queryFn: async ({ signal }) =>
      (await client.projects.list(space, { page_size: 1_000, ordering: 'name' }, { signal })).results,
    enabled: space !== '',
  });
