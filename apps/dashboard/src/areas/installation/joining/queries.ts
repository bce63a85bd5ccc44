import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 50;
/** Workers join while the page is open. */
const REFRESH_INTERVAL_MS = 10_000;

export const joinTokensQuery = (page: number) =>
  queryOptions({
    queryKey: [AREA_KEY, 'join-tokens', { page }],
    queryFn: async ({ signal }) => await client.joinTokens.list({ page, page_size: PAGE_SIZE }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });

export const joinedWorkersQuery = ({ q, page = 1 }: { q?: string; page?: number }) =>
  queryOptions({
    queryKey: [AREA_KEY, 'joined-workers', { q, page }],
    queryFn: async ({ signal }) =>
      await client.joinedWorkers.list(
        { page, page_size: PAGE_SIZE, ...(q !== undefined && { search: q }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
