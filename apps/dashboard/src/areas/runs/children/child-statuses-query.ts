import { queryOptions } from '@tanstack/react-query';
import type { Subjob } from '@millrace/client';
import { client } from '../../../api/client.js';
import type { LiveRun } from '../live/live-run.js';
import { runKey } from '../run/run-query.js';

/** A snapshot that the stream has overtaken is read again, but not forever. */
const MAX_READS = 3;

/**
 * Reads the statuses and durations of all children of a group into the state of the run, from where the stream goes on. The
 * result is the number of the last change that they include.
 */
export const childStatusesQuery = (live: LiveRun, group: Subjob, epoch: number) =>
  queryOptions({
    queryKey: [...runKey(group.run), 'child-statuses', group.id, epoch],
    queryFn: async ({ signal }) => {
      for (let reads = 1; ; reads++) {
        const seq = await readStatuses(live, group, signal);
        if (seq >= live.from || reads === MAX_READS) return seq;
      }
    },
    staleTime: Infinity,
  });

async function readStatuses(live: LiveRun, group: Subjob, signal: AbortSignal): Promise<number> {
  const states = live.childrenOf(group.node);
  let seq = Infinity;
  for (let from: number | null = 1; from !== null;) {
    const page = await client.subjobs.statuses(group.run, group.id, { from }, { signal });
    states.applySnapshot(page);
    seq = Math.min(seq, page.seq);
    from = page.next;
  }
  states.snapshotSeq = seq;
  states.publish();
  return seq;
}
