import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { isScheduled, type ScheduledWorkflow } from './scheduled-workflow.js';

/** A part of the schedules. */
interface SchedulePart {
  workflows: ScheduledWorkflow[];
  /** Where the next part begins; undefined at the end. */
  nextPage?: number;
  /** Workflows that were looked at, of `total`. */
  examined: number;
  total: number;
}

const WORKFLOWS_PER_PAGE = 100;
/** A part ends with the page after which it has this many schedules. */
const SCHEDULES_PER_PART = 50;
/** A part has fewer schedules if few workflows have one. */
const MAX_PAGES_PER_PART = 5;

const REFRESH_INTERVAL_MS = 30_000;

/** The API lists no schedules, so this reads pages of workflows and keeps those with a schedule. */
export const schedulesQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['schedules', 'list', { q }],
    queryFn: async ({ signal, pageParam }): Promise<SchedulePart> => {
      const filter = { page_size: WORKFLOWS_PER_PAGE, ordering: 'name', ...(q !== undefined && { search: q }) };
      const workflows: ScheduledWorkflow[] = [];
      for (let page = pageParam; ; page += 1) {
        const { results, next, count } = await client.workflows.list({ ...filter, page }, { signal });
        workflows.push(...results.filter(isScheduled));
        const progress = { workflows, examined: (page - 1) * WORKFLOWS_PER_PAGE + results.length, total: count };
        if (!next) return progress;
        const isEnough = workflows.length >= SCHEDULES_PER_PART || page - pageParam + 1 >= MAX_PAGES_PER_PART;
        if (isEnough) return { ...progress, nextPage: page + 1 };
      }
    },
    initialPageParam: 1,
    getNextPageParam: ({ nextPage }) => nextPage,
    // No event reports ticks.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : REFRESH_INTERVAL_MS),
  });

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'workflow', id],
    queryFn: ({ signal }) => client.workflows.get(id, { signal }),
  });

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
  });
