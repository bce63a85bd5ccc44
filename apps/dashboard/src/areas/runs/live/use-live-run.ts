import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isFinalRun, type Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { isUnavailable } from '../../../api/describe-error.js';
import { whileVisible } from '../../../api/while-visible.js';
import { runKey, runQuery } from '../run/run-query.js';
import { stepsQuery } from '../steps/steps-query.js';
import { changeRun, changeSteps } from './apply-change.js';
import { batchByFrame } from './batch-by-frame.js';
import { type LiveRun, liveRunOf } from './live-run.js';

/** Counts, costs and reasons to wait are not in the stream. One request has them, however many children there are. */
const RUN_INTERVAL_MS = 2_000;
const REOPEN_INTERVAL_MS = 2_000;
/** A stream of a long run begins with its history. If it lags this much behind, the steps are requested as well. */
const MAX_LAG_MS = 5_000;

/** Follows a run until it ends: changes from the event stream go into the cached run and its steps. */
export function useLiveRun(id: string, status: Run['status'] | undefined): void {
  const queryClient = useQueryClient();
  const isUnderWay = status !== undefined && !isFinalRun(status);
  useEffect(() => {
    if (!isUnderWay) return;
    return whileVisible((signal) => followUntilEnd(queryClient, id, signal));
  }, [queryClient, id, isUnderWay]);
}

/** The client reconnects for a while. After a longer outage the stream is opened again here. */
async function followUntilEnd(queryClient: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await followRun(queryClient, id, signal);
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, REOPEN_INTERVAL_MS));
    }
  }
}

async function followRun(queryClient: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  const live = liveRunOf(id);
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
    refresh.schedule(Date.now() - Date.parse(event.change.at) > MAX_LAG_MS);
  }
  if (signal.aborted) return;
  live.isComplete = true;
  batch.cancel();
  refresh.cancel();
  showChanges(queryClient, id, live);
  // What the server has now is final, whatever the stream has shown.
  await queryClient.invalidateQueries({ queryKey: runKey(id) });
}

function showChanges(queryClient: QueryClient, id: string, live: LiveRun): void {
  const { run: runChange, steps } = live.takeBatch();
  if (runChange) queryClient.setQueryData(runQuery(id).queryKey, (run) => run && changeRun(run, runChange));
  if (steps.size > 0) queryClient.setQueryData(stepsQuery(id).queryKey, (all) => all && changeSteps(all, steps));
}

function throttleRefresh(queryClient: QueryClient, id: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBehind = false;
  return {
    schedule: (lags: boolean) => {
      isBehind ||= lags;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey, exact: true });
        if (isBehind) void queryClient.invalidateQueries({ queryKey: stepsQuery(id).queryKey, exact: true });
        isBehind = false;
      }, RUN_INTERVAL_MS);
    },
    cancel: () => clearTimeout(timer),
  };
}
