import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import type { ListSearch } from './list-search.js';

export const PAGE_SIZE = 100;
/** Vaults have few solutions; beyond this number they are found by searching. */
const MAX_SOLUTIONS = 500;

export const tablesQuery = ({ search, space, page = 1 }: ListSearch) =>
  queryOptions({
    queryKey: ['tables', 'list', search, space, page],
    queryFn: async ({ signal }) =>
      await client.datasets.list(
        { page_size: PAGE_SIZE, page, ordering: 'name', ...(search && { search }), ...(space && { space }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export const solutionsQuery = (space: string | undefined) =>
  queryOptions({
    queryKey: ['tables', 'solutions', space],
    queryFn: async ({ signal }) =>
      await client.solutions.list({ page_size: MAX_SOLUTIONS, ordering: 'name', ...(space && { space }) }, { signal }),
    placeholderData: keepPreviousData,
  });

export const viewsQuery = (solution: string, dataset?: string) =>
  queryOptions({
    queryKey: ['tables', 'views', solution, dataset],
    queryFn: async ({ signal }) =>
      await client.views.list(solution, { page_size: 200, ordering: 'name', ...(dataset && { dataset }) }, { signal }),
  });
