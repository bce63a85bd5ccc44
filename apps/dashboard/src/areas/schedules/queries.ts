import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { workflowQuery } from '../../api/workflow-query.js';
import type { SchedulesSearch } from './search.js';

const PAGE_SIZE = 50;
const REFRESH_INTERVAL_MS = 30_000;

/** The API's names of the states. */
const FILTERS = { active: 'enabled', paused: 'paused', failing: 'refused' } as const;

/** No event reports ticks. Many pages are not requested again. */
const refreshFirstPages = ({ state: { data } }: { state: { data?: { pages: unknown[] } | undefined } }) =>
  (data?.pages.length ?? 0) > 2 ? false : REFRESH_INTERVAL_MS;

/** Workflows that have a schedule. */
export const schedulesQuery = ({ q, state }: Pick<SchedulesSearch, 'q' | 'state'>) =>
  infiniteQueryOptions({
    queryKey: ['schedules', 'list', { q, state }],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.workflows.list(
        {
          schedule: state === undefined ? 'any' : FILTERS[state],
          ...(q !== undefined && { search: q }),
          ...{ ordering: 'name', page, page_size: PAGE_SIZE },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }, _, page) => (next ? page + 1 : undefined),
    refetchInterval: refreshFirstPages,
  });

/** Reads the schedules again after one was changed. */
export async function refreshSchedule(queryClient: QueryClient, workflow: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['schedules'] }),
    queryClient.invalidateQueries(workflowQuery(workflow)),
  ]);
}

/** The latest version of a workflow, for the inputs that runs accept. */
export const latestVersionQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'version', id],
    queryFn: ({ signal }) => client.versions.get(id, 'latest', { signal }),
  });

export const ticksQuery = (id: string, status: 'pending' | 'started' | 'skipped' | 'refused' | undefined) =>
  infiniteQueryOptions({
    queryKey: ['schedules', 'ticks', id, { status }],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.schedules.listTicks(id, { page, page_size: 50, ...(status && { status }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }, _, page) => (next ? page + 1 : undefined),
    refetchInterval: refreshFirstPages,
  });
