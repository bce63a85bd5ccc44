import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Load } from '@millrace/client';
import { client } from '../../../api/client.js';

export const LOADS_PAGE_SIZE = 50;
const ACTIVE_INTERVAL_MS = 1_500;
const IDLE_INTERVAL_MS = 15_000;

export const isActive = ({ status }: Load): boolean => status !== 'COMPLETED' && status !== 'FAILED';

export const loadsQuery = (table: string, page: number) =>
  queryOptions({
    queryKey: ['tables', 'loads', table, page],
    queryFn: async ({ signal }) =>
      await client.loads.list(table, { page, page_size: LOADS_PAGE_SIZE, ordering: '-id' }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.results.some(isActive) ? ACTIVE_INTERVAL_MS : IDLE_INTERVAL_MS),
  });

export const rejectedQuery = (table: string, load: string, page: number) =>
  queryOptions({
    queryKey: ['tables', 'rejected', table, load, page],
    queryFn: async ({ signal }) =>
      await client.loads.rejected(table, { load, page, page_size: LOADS_PAGE_SIZE, ordering: 'line' }, { signal }),
    placeholderData: keepPreviousData,
  });
