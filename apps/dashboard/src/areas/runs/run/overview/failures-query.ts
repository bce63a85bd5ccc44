import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../../api/client.js';
import { runKey } from '../run-query.js';

const MAX_GROUPS = 50;

/** The failures of a run, grouped by reason. `failed` is part of the key, so that more failures are requested. */
export const failuresQuery = (run: string, failed: number) =>
  queryOptions({
    queryKey: [...runKey(run), 'failures', failed],
    queryFn: async ({ signal }) => await client.failures.list(run, { page_size: MAX_GROUPS }, { signal }),
    enabled: failed > 0,
    staleTime: 10_000,
  });
