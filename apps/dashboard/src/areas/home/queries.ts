import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';

const ACTIVE = 'PENDING,SUBMITTED,RUNNING,STOPPING';
const REFRESH_INTERVAL_MS = 10_000;

/** Runs that have not ended, newest first. */
export const activeRunsQuery = queryOptions({
  queryKey: ['home', 'runs', 'active'],
  queryFn: async ({ signal }) =>
    (await client.runs.list({ status: ACTIVE, ordering: '-created_date', page_size: 10 }, { signal })).results,
  refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? REFRESH_INTERVAL_MS / 4 : REFRESH_INTERVAL_MS),
});

export const recentRunsQuery = queryOptions({
  queryKey: ['home', 'runs', 'recent'],
  queryFn: async ({ signal }) =>
    (await client.runs.list({ ordering: '-created_date', page_size: 10 }, { signal })).results,
  refetchInterval: REFRESH_INTERVAL_MS,
});

const DAY_MS = 24 * 3_600_000;

/** Failed runs of the last week, newest first. */
export const failedRunsQuery = queryOptions({
  queryKey: ['home', 'runs', 'failed'],
  queryFn: async ({ signal }) => {
    const { results } = await client.runs.list(
      { status: 'FAILED', ordering: '-created_date', page_size: 5 },
      { signal },
    );
    return results.filter(({ created_date: created }) => Date.parse(created) > Date.now() - 7 * DAY_MS);
  },
  refetchInterval: 3 * REFRESH_INTERVAL_MS,
});

export const recentWorkflowsQuery = queryOptions({
  queryKey: ['home', 'workflows'],
  queryFn: async ({ signal }) =>
    (await client.workflows.list({ ordering: '-modified_date', page_size: 8 }, { signal })).results,
});

export const recentTablesQuery = queryOptions({
  queryKey: ['home', 'tables'],
  queryFn: async ({ signal }) =>
    (await client.datasets.list({ ordering: '-modified_date', page_size: 6 }, { signal })).results,
});

/** Workflows whose schedule could not start its last run. */
export const refusedSchedulesQuery = queryOptions({
  queryKey: ['home', 'schedules', 'refused'],
  queryFn: async ({ signal }) =>
    (await client.workflows.list({ schedule: 'refused', ordering: '-modified_date', page_size: 5 }, { signal }))
      .results,
  refetchInterval: 3 * REFRESH_INTERVAL_MS,
});

/** Why the vault may start no runs, if it may not. Only owners may read it. */
export const restrictionQuery = queryOptions({
  queryKey: ['home', 'restriction'],
  queryFn: async ({ signal }) => (await client.budget.get({ signal })).restriction ?? null,
  staleTime: 30_000,
});
