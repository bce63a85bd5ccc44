import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminTask } from '@millrace/client';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 25;
const RUNNING_INTERVAL_MS = 1_500;
const IDLE_INTERVAL_MS = 30_000;

export const tasksQuery = (kind: AdminTask['kind'] | undefined, page = 1) =>
  queryOptions({
    queryKey: [AREA_KEY, 'tasks', { kind, page }],
    queryFn: async ({ signal }) =>
      await client.adminTasks.list({ ...(kind && { kind }), page, page_size: PAGE_SIZE }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.results.some(({ state }) => state === 'running') ? RUNNING_INTERVAL_MS : IDLE_INTERVAL_MS,
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: [AREA_KEY, 'task', id],
    queryFn: ({ signal }) => client.adminTasks.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? RUNNING_INTERVAL_MS : false),
  });
