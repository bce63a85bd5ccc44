import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../../api/client.js';
import { runKey } from '../run-query.js';

const LOADING_INTERVAL_MS = 2_000;

/** The loads of a run's outputs into Live Tables. They follow a moment after its end. */
export const loadsQuery = (run: string, isFinished: boolean) =>
  queryOptions({
    queryKey: [...runKey(run), 'loads'],
    queryFn: async ({ signal }) => (await client.loads.listOfRun(run, { page_size: 100 }, { signal })).results,
    enabled: isFinished,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status !== 'COMPLETED' && status !== 'FAILED') ? LOADING_INTERVAL_MS : false,
  });
