import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { TableComparison } from '@millrace/client';
import { client } from '../../../api/client.js';
import { type Change, type ChangeKind, toChange } from './compare-rows.js';

/** Which changes of a table: those of a run, or the differences between two runs. */
export interface ChangeRange {
  table: string;
  run: string;
  /** The run to compare with; undefined for the rows as they were before `run`. */
  since: string | undefined;
}

/** The numbers of changes of a run, which is the latest one if none is named. */
export const latestChangesQuery = (table: string, run: string | undefined) =>
  queryOptions({
    queryKey: ['tables', 'changes', table, run],
    queryFn: async ({ signal }) =>
      await client.rows.changes(table, { page_size: 1, ...(run !== undefined && { run }) }, { signal }),
  });

/** How a table differs between two runs. Null if neither of them loaded it. */
export const pairQuery = (table: string, since: string, run: string) =>
  queryOptions({
    queryKey: ['tables', 'changes', table, run, 'since', since],
    queryFn: async ({ signal }): Promise<TableComparison | null> => {
      for await (const one of client.runTables.compare(since, run, { page_size: 100 }, { signal }))
        if (one.dataset === table) return one;
      return null;
    },
  });

const PAGE_SIZE = 100;
/** A page of a comparison may have no rows although more follow. */
const MAX_EMPTY_PAGES = 20;

interface ChangePage {
  results: Change[];
  cursor: string | null;
}

export const changesQuery = (range: ChangeRange, kind: ChangeKind) =>
  infiniteQueryOptions({
    queryKey: ['tables', 'changes', range.table, range.run, 'rows', range.since, kind],
    queryFn: ({ pageParam, signal }) => readPage(range, kind, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });

async function readPage(
  { table, run, since }: ChangeRange,
  kind: ChangeKind,
  from: string | null,
  signal: AbortSignal,
): Promise<ChangePage> {
  const paging = (cursor: string | null) => ({ page_size: PAGE_SIZE, ...(cursor !== null && { cursor }) });
  if (since === undefined) return await client.rows.changes(table, { run, kind, ...paging(from) }, { signal });
  const results: Change[] = [];
  let cursor = from;
  for (let page = 0; page < MAX_EMPTY_PAGES && results.length === 0; page += 1) {
    const found = await client.runTables.rows(since, run, table, { change: kind, ...paging(cursor) }, { signal });
    results.push(...found.results.map(toChange));
    cursor = found.cursor;
    if (cursor === null) break;
  }
  return { results, cursor };
}
