import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';

const NODES = 100;
const OUTPUTS = 100;
const ROWS = 100;

const compareKey = (a: string, b: string) => ['runs', 'compare', a, b] as const;
const firstPage = '';
const nextCursor = ({ cursor }: { cursor: string | null }) => cursor ?? undefined;
const withCursor = (cursor: string) => (cursor === firstPage ? {} : { cursor });

export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: [...compareKey(a, b), 'summary'],
    queryFn: ({ signal }) => client.compare.get(a, b, { signal }),
  });

export const nodesQuery = (a: string, b: string) =>
  infiniteQueryOptions({
    queryKey: [...compareKey(a, b), 'nodes'],
    queryFn: async ({ pageParam, signal }) =>
      await client.compare.nodes(a, b, { page_size: NODES, ...withCursor(pageParam) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextCursor,
  });

/** Outputs that differ; those that are the same are only counted. */
export const changedOutputsQuery = (a: string, b: string) =>
  infiniteQueryOptions({
    queryKey: [...compareKey(a, b), 'outputs'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { page_size: OUTPUTS, change: 'changed,only_in_a,only_in_b', ...withCursor(pageParam) };
      return await client.compare.outputs(a, b, query, { signal });
    },
    initialPageParam: firstPage,
    getNextPageParam: nextCursor,
  });

export const tablesQuery = (a: string, b: string) =>
  infiniteQueryOptions({
    queryKey: [...compareKey(a, b), 'tables'],
    queryFn: async ({ pageParam, signal }) => await client.runTables.compare(a, b, withCursor(pageParam), { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextCursor,
  });

export const rowsQuery = (a: string, b: string, table: string) =>
  infiniteQueryOptions({
    queryKey: [...compareKey(a, b), 'rows', table],
    queryFn: async ({ pageParam, signal }) =>
      await client.runTables.rows(a, b, table, { page_size: ROWS, ...withCursor(pageParam) }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextCursor,
  });
