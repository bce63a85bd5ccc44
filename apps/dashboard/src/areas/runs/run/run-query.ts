import { queryOptions } from '@tanstack/react-query';
import { isFinalRun, type Run } from '@millrace/client';
import { client } from '../../../api/client.js';

/** Everything that is cached about a run. */
export const runKey = (id: string) => ['runs', 'run', id] as const;

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...runKey(id), 'record'],
    queryFn: ({ signal }) => client.runs.get(id, { signal }),
  });

/** An ended run has no stream, and somebody may retry it at any time. */
const ENDED_INTERVAL_MS = 5_000;

/** The run of a page that is open. */
export const openRunQuery = (id: string) =>
  queryOptions({
    ...runQuery(id),
    refetchInterval: ({ state: { data } }) => (data && isFinalRun(data.status) ? ENDED_INTERVAL_MS : false),
  });

const EARLIER_RUNS = 20;

/** Durations of earlier completed runs of the workflow, in milliseconds. */
export const earlierDurationsQuery = (run: Pick<Run, 'id' | 'workflow_info' | 'created_date'>) =>
  queryOptions({
    queryKey: ['runs', 'earlier-durations', run.workflow_info, run.id],
    queryFn: async ({ signal }) => {
      const query = { status: 'COMPLETED', page_size: EARLIER_RUNS + 1, ordering: '-created_date' };
      const { results } = await client.runs.listOfWorkflow(run.workflow_info, query, { signal });
      return results
        .filter((other) => other.id !== run.id && other.created_date < run.created_date && !other.part)
        .flatMap(({ duration_ms: duration }) => (duration === undefined ? [] : [duration]));
    },
    staleTime: 300_000,
  });
