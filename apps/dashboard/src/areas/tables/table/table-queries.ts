import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';

/** How often a page looks whether new rows were loaded. */
const REFRESH_INTERVAL_MS = 15_000;
/** The first run that fills a table has often ended just now. */
const EMPTY_INTERVAL_MS = 1_500;

export const tableQuery = (id: string) =>
  queryOptions({
    queryKey: ['tables', 'table', id],
    queryFn: ({ signal }) => client.datasets.get(id, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && data.loaded_date === undefined ? EMPTY_INTERVAL_MS : REFRESH_INTERVAL_MS,
  });

export const solutionQuery = (id: string) =>
  queryOptions({
    queryKey: ['tables', 'solution', id],
    queryFn: ({ signal }) => client.solutions.get(id, { signal }),
    staleTime: 60_000,
  });
