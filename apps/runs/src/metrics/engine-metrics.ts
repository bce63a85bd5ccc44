import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { createCounter, createHistogram } from '@millrace/telemetry/metrics/registry';
import type { LostDispatch } from '../workers/worker-registry.js';

const finishedRuns = createCounter('millrace_runs_finished_total', 'Ends of runs by final status, repeated ones too', [
  'status',
]);
const dispatchLatency = createHistogram(
  'millrace_dispatch_latency_seconds',
  'From the transaction that dispatches tasks until the first report of the worker that has them arrives',
  [],
);
const lostDispatches = createCounter('millrace_dispatches_lost_total', 'Dispatches that no worker finished, by cause', [
  'cause',
]);

/**
 * Why a dispatch was lost, besides the loss of its worker. `unreported`: the worker closed it without a report on some of its
 * tasks; `unqueued`: it was no longer in the queue.
 */
type LossCause = LostDispatch['cause'] | 'unreported' | 'unqueued';
const LOSS_CAUSES: LossCause[] = ['silent', 'replaced', 'missing', 'unreported', 'unqueued'];

// A counter that appears with its first event has no increase: an alert would miss that one.
for (const cause of LOSS_CAUSES) lostDispatches.inc({ cause }, 0);
for (const status of ['COMPLETED', 'FAILED', 'STOPPED']) finishedRuns.inc({ status }, 0);

export const countFinishedRun = (status: RunStatus): void => finishedRuns.inc({ status });

export function measureWaits(seconds: readonly number[]): void {
  for (const wait of seconds) dispatchLatency.observe({}, Math.max(0, wait));
}

export const countLostDispatches = (cause: LossCause, count: number): void => lostDispatches.inc({ cause }, count);
