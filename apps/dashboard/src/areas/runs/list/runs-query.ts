import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import type { Run, RunPage, RunsListQuery } from '@millrace/client';
import { client } from '../../../api/client.js';
import { DEFAULT_ORDERING, STATUS_FILTERS, type ListSearch } from './list-search.js';

const PAGE_SIZE = 50;
const MAX_ACTIVE = 200;
const ACTIVE_INTERVAL_MS = 3_000;

function toQuery({ search, status, type, workflow, space, sort = DEFAULT_ORDERING }: ListSearch): RunsListQuery {
  return {
    ordering: sort,
    ...(search !== undefined && { search }),
    ...(status !== undefined && { status: STATUS_FILTERS[status].statuses }),
    ...(type !== undefined && { creation_type: type }),
    ...(workflow !== undefined && { workflow }),
    ...(space !== undefined && { space }),
  };
}

/** The pages of a list of runs. */
export const runsQuery = (search: ListSearch) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'list', search],
    queryFn: async ({ pageParam, signal }) =>
      await client.runs.list(
        { ...toQuery(search), page_size: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }: RunPage) => cursor ?? undefined,
  });

/**
 * The runs of a list that have not ended, in one small request every few seconds. The rows of runs that have ended are not
 * requested again.
 */
export const activeRunsQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: ['runs', 'active', search],
    queryFn: async ({ signal }) => {
      const { status: _, ...rest } = search;
      const query = { ...toQuery(rest), status: STATUS_FILTERS.active.statuses, page_size: MAX_ACTIVE };
      return (await client.runs.list(query, { signal })).results;
    },
    refetchInterval: ACTIVE_INTERVAL_MS,
  });

/** Replaces rows of a list by newer ones. Pages without a change stay the same objects. */
export function replaceRows(
  data: InfiniteData<RunPage, unknown>,
  rows: readonly Run[],
): InfiniteData<RunPage, unknown> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pages = data.pages.map((page) =>
    page.results.some(({ id }) => byId.has(id))
      ? { ...page, results: page.results.map((run) => byId.get(run.id) ?? run) }
      : page,
  );
  return { ...data, pages };
}
