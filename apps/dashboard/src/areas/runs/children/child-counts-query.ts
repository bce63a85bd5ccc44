import { queryOptions } from '@tanstack/react-query';
import type { Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import { STATUSES, type StatusCounts, type SubjobStatus } from '../live/child-states.js';
import { runKey } from '../run/run-query.js';

/**
 * The number of children by status, of a run that has ended. A group that succeeded has only children that did. Otherwise one
 * request for each status reads its count and one child.
 */
export const childCountsQuery = (group: Subjob) =>
  queryOptions({
    queryKey: [...runKey(group.run), 'child-counts', group.id, group.status],
    queryFn: ({ signal }) => countChildren(group, signal),
    staleTime: 60_000,
  });

export async function countChildren(group: Subjob, signal: AbortSignal): Promise<StatusCounts> {
  const total = group.task_count ?? 0;
  if (group.status === 'SUCCEEDED') return countsOf({ SUCCEEDED: total });
  if (group.status === 'PENDING') return countsOf({ PENDING: total });
  const statuses = STATUSES.filter((status) => status !== 'SUCCEEDED');
  const counted = await Promise.all(
    statuses.map(async (status) => {
      const { count } = await client.subjobs.children(group.run, group.id, { status, page_size: 1 }, { signal });
      return [status, count] as const;
    }),
  );
  const others = counted.reduce((sum, [, count]) => sum + count, 0);
  return countsOf({ ...Object.fromEntries(counted), SUCCEEDED: Math.max(0, total - others) });
}

const countsOf = (known: Partial<StatusCounts>): StatusCounts =>
  Object.fromEntries(STATUSES.map((status: SubjobStatus) => [status, known[status] ?? 0])) as StatusCounts;
