import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../../api/client.js';
import { runKey } from '../../run/run-query.js';
import type { LogSource } from '../use-log.js';

const RUNNING_INTERVAL_MS = 1_000;
const WAITING_INTERVAL_MS = 3_000;

/** When the log of an attempt was written. A stored log never changes. */
export const logTimesQuery = ({ run, subjob, stream, attempt }: LogSource) =>
  queryOptions({
    queryKey: [...runKey(run), 'log-times', subjob, stream, attempt],
    queryFn: ({ signal }) => client.subjobs.logTimes(run, subjob, { stream, attempt }, { signal }),
    staleTime: ({ state: { data } }) => (data?.state === 'stored' ? Infinity : 0),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'running' ? RUNNING_INTERVAL_MS : data?.state === 'waiting' ? WAITING_INTERVAL_MS : false,
  });
