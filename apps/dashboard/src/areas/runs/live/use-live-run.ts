import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isFinalRun, type Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { whileVisible } from '../../../api/while-visible.js';
import { runKey, runQuery } from '../run/run-query.js';
import { stepsQuery } from '../steps/steps-query.js';
import { changeRun, changeSteps } from './apply-change.js';
import { batchByFrame } from './batch-by-frame.js';
import { type LiveRun, liveRunOf } from './live-run.js';

/** Counts, costs and reasons to wait are not in the stream. One request has them, however many children there are. */
const RUN_INTERVAL_MS = 2_000;
/** A record of the run that is not older is not read again. */
const FRESH_MS = 1_000;

/** Follows a run until it ends: changes from the event stream go into the cached run, its steps and their children. */
export function useLiveRun(id: string, run: Run | undefined): void {
  const queryClient = useQueryClient();
  const isUnderWay = run !== undefined && !isFinalRun(run.status);
  useEffect(() => {
    if (!isUnderWay) return;
    return whileVisible((signal) => followRun(queryClient, id, signal));
  }, [queryClient, id, isUnderWay]);
  const lastChange = run && !isUnderWay ? run.last_change : undefined;
  useEffect(() => {
    // Somebody else may have retried the run since its steps were read, and no stream has reported it.
    const live = liveRunOf(id);
    if (lastChange === undefined || live.seq >= lastChange) return;
    const isFirst = live.seq === 0;
    live.require(lastChange);
    if (!isFirst) void queryClient.invalidateQueries({ queryKey: runKey(id), predicate: isOutsideOfStream });
  }, [queryClient, id, lastChange]);
}

/** The record has just been read, and the statuses of children are read again by another key. */
const isOutsideOfStream = ({ queryKey }: Query): boolean =>
  !queryKey.includes('record') && !queryKey.includes('child-statuses');

async function followRun(queryClient: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  const live = liveRunOf(id);
  await begin(queryClient, id, live);
  if (signal.aborted) return;
  const refresh = throttleRefresh(queryClient, id);
  const batch = batchByFrame(() => showChanges(queryClient, id, live));
  signal.addEventListener('abort', () => {
    batch.cancel();
    refresh.cancel();
  });
  for await (const event of client.runs.events(id, { after: live.seq, signal })) {
    if (event.type === 'end') break;
    live.add(event.seq, event.change);
    batch.schedule();
    refresh.schedule();
  }
  if (signal.aborted) return;
  batch.cancel();
  refresh.cancel();
  showChanges(queryClient, id, live);
  // What the server has now is final, whatever the stream has shown.
  await queryClient.invalidateQueries({ queryKey: runKey(id) });
}

/**
 * Begins with the present: what the page shows was read after a record of the run, and the stream has every change after that
 * record. Steps that may have been read earlier are read again.
 */
async function begin(queryClient: QueryClient, id: string, live: LiveRun): Promise<void> {
  const { queryKey } = runQuery(id);
  const run = await queryClient.fetchQuery({ ...runQuery(id), staleTime: FRESH_MS });
  const readAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Infinity;
  if (!live.begin(run.last_change) || live.stepsRequestedAt >= readAt) return;
  void queryClient.invalidateQueries({ queryKey: stepsQuery(id).queryKey, exact: true });
}

function showChanges(queryClient: QueryClient, id: string, live: LiveRun): void {
  const { run: runChange, steps, nodes } = live.takeBatch();
  if (runChange) {
    queryClient.setQueryData(runQuery(id).queryKey, (run) => run && changeRun(run, runChange));
    // The page stops following a run whose status is final, perhaps before the stream has reported its end.
    if (isFinalRun(runChange.status as Run['status'])) void queryClient.invalidateQueries({ queryKey: runKey(id) });
  }
  const { queryKey } = stepsQuery(id);
  if (steps.size > 0) queryClient.setQueryData(queryKey, (all) => all && changeSteps(all, steps));
  // No change announces that a node was distributed; those of its children do.
  const groups = new Set(queryClient.getQueryData(queryKey)?.flatMap(({ node, task_count: n }) => (n ? node : [])));
  if ([...nodes].some((node) => !groups.has(node)))
    void queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
}

function throttleRefresh(queryClient: QueryClient, id: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    schedule: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey, exact: true });
      }, RUN_INTERVAL_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}
