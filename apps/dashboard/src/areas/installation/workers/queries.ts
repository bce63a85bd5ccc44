import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

/** Workers send heartbeats every two seconds. */
const REFRESH_INTERVAL_MS = 5_000;

export const workersQuery = queryOptions({
  queryKey: [AREA_KEY, 'workers'],
  queryFn: ({ signal }) => client.workers.list({ signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
});

export const fleetsQuery = queryOptions({
  queryKey: [AREA_KEY, 'fleets'],
  queryFn: ({ signal }) => client.fleets.list({ signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
});
