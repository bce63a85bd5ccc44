import { queryOptions } from '@tanstack/react-query';
import type { RowsPage, RowsQueryQuery } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { placesByColumn, placesByNumber, type SortColumn } from './row-places.js';
import type { RowReader } from './row-source.js';

/** `other`: by a column whose values have no places between them, such as texts. */
export type RowSort = 'number' | 'other' | SortColumn;

/** The rows that a page shows. */
export interface RowQuery {
  table: string;
  /** The view that `q` narrows further. */
  view?: { solution: string; id: string };
  q: string;
  order: string;
  /** Columns, or empty for all. */
  select: string;
  /** What sorts the rows. They are in the order of their numbers if neither the page nor its view does. */
  sort: RowSort;
}

type Parameters = Pick<RowsQueryQuery, 'q' | 'order' | 'select' | 'page_size' | 'cursor' | 'count'>;

async function request({ table, view }: RowQuery, parameters: Parameters, signal: AbortSignal): Promise<RowsPage> {
  const query = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
  return view
    ? await client.views.rows(view.solution, view.id, query, { signal })
    : await client.rows.query(table, query, { signal });
}

let requests = 0;

/** Sends a request through the query client, which handles ended sessions and lost connections. */
function fetchRows(rowQuery: RowQuery, parameters: Parameters, signal: AbortSignal): Promise<RowsPage> {
  requests += 1;
  return queryClient.fetchQuery({
    // A request is never shared, because its signal belongs to one reader.
    queryKey: ['tables', 'page', requests],
    queryFn: () => request(rowQuery, parameters, signal),
    gcTime: 0,
  });
}

export function createReader(rowQuery: RowQuery): RowReader {
  const { q, order, select, sort } = rowQuery;
  const read = (parameters: Parameters, signal: AbortSignal) =>
    fetchRows(rowQuery, { order, count: 'none', ...parameters }, signal);
  const places =
    sort === 'number' ? placesByNumber(q, read) : sort === 'other' ? undefined : placesByColumn(q, sort, read);
  return {
    q,
    places,
    readPage: async (from, size, signal) => {
      const { results, cursor } = await read({ ...from, select, page_size: size }, signal);
      return { rows: results, cursor };
    },
    passRows: async (from, size, signal) => {
      const { results, cursor } = await read({ ...from, select: '_row', page_size: size }, signal);
      return { rows: results.length, cursor };
    },
  };
}

/** The number of rows, which no page of rows waits for. */
export const countQuery = (rowQuery: RowQuery, version: number) =>
  queryOptions({
    queryKey: ['tables', 'count', rowQuery.table, rowQuery.view?.id, rowQuery.q, version],
    queryFn: async ({ signal }) => {
      const { q } = rowQuery;
      const page = await request(rowQuery, { q, select: '_row', page_size: 1, count: 'auto' }, signal);
      return { count: page.count ?? 0, isEstimate: page.count_is_estimate ?? false };
    },
    staleTime: 60_000,
    // The API counts on after it has responded with an estimate.
    refetchInterval: ({ state }) =>
      state.data?.isEstimate && state.dataUpdateCount < MAX_COUNTS ? RECOUNT_INTERVAL_MS : false,
  });

const RECOUNT_INTERVAL_MS = 1_500;
const MAX_COUNTS = 8;
