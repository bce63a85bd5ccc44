import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { DEFAULT_SORT, type WorkflowsSearch } from './search.js';

export const PAGE_SIZE = 50;
const TREE_PAGE_SIZE = 100;

const nextPage = (last: { next?: string | null }, all: readonly unknown[]) => (last.next ? all.length + 1 : undefined);

export const spacesQuery = infiniteQueryOptions({
  queryKey: ['workflows', 'spaces'],
  queryFn: async ({ signal, pageParam }) =>
    await client.spaces.list({ ordering: 'name', page: pageParam, page_size: TREE_PAGE_SIZE }, { signal }),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  staleTime: 30_000,
});

export const projectsQuery = (space: string) =>
  infiniteQueryOptions({
    queryKey: ['workflows', 'projects', space],
    queryFn: async ({ signal, pageParam }) =>
      await client.projects.list(space, { ordering: 'name', page: pageParam, page_size: TREE_PAGE_SIZE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    staleTime: 30_000,
  });

export const workflowsQuery = ({ space, project, q, sort, page = 1 }: WorkflowsSearch) =>
  queryOptions({
    queryKey: ['workflows', 'list', { space, project, q, sort, page }],
    queryFn: async ({ signal }) =>
      await client.workflows.list(
        {
          ...(space !== undefined && { space }),
          ...(project !== undefined && { project }),
          ...(q !== undefined && { search: q }),
          ordering: sort ?? DEFAULT_SORT,
          page,
          page_size: PAGE_SIZE,
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** The last runs of a workflow, newest first. */
export const lastRunsQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['workflows', 'last-runs', workflow],
    queryFn: async ({ signal }) =>
      (await client.runs.listOfWorkflow(workflow, { ordering: '-created_date', page_size: 10 }, { signal })).results,
    staleTime: 20_000,
  });
