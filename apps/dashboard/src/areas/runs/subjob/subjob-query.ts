import { queryOptions } from '@tanstack/react-query';
import { isFinalSubjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import { runKey } from '../run/run-query.js';

const UNDER_WAY_INTERVAL_MS = 2_000;

/** One subjob with its attempts. */
export const subjobQuery = (run: string, id: string, isRunFinished: boolean) =>
  queryOptions({
    queryKey: [...runKey(run), 'subjob', id],
    queryFn: ({ signal }) => client.subjobs.get(run, id, { signal }),
    refetchInterval: ({ state: { data } }) =>
      !isRunFinished && data && !isFinalSubjob(data.status) ? UNDER_WAY_INTERVAL_MS : false,
  });

export const cacheQuery = (run: string, id: string) =>
  queryOptions({
    queryKey: [...runKey(run), 'cache', id],
    queryFn: ({ signal }) => client.cache.explain(run, id, { signal }),
    staleTime: 60_000,
  });

/** The data of the version that a run executes. A version never changes. */
export const versionQuery = (workflow: string, version: string) =>
  queryOptions({
    queryKey: ['runs', 'version', workflow, version],
    queryFn: ({ signal }) => client.versions.get(workflow, version, { signal }),
    staleTime: Infinity,
  });
