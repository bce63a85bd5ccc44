import type { z } from 'zod';
import { getRun } from '@millrace/contracts/runs/runs';
import type { ToolCall } from '../tool.js';

type Run = z.output<typeof getRun.response>;

/** Also keeps connections open through proxies that end idle ones. */
const REPORT_INTERVAL_MS = 2_000;

/** Waits until a run has ended or the time is over, and reports progress. If the call is cancelled, the run goes on. */
export async function waitUntilEnded(call: ToolCall, id: string, seconds: number): Promise<Run> {
  const { client, signal } = call;
  const load = () => client.call(getRun, { params: { id }, signal });
  const timeout = AbortSignal.timeout(seconds * 1_000);
  const first = await load();
  if (first.finished || seconds === 0) return first;
  const report = async () => call.reportProgress(describeProgress(await load()));
  await call.reportProgress(describeProgress(first));
  // A report that fails is followed by the next one, and a lost connection ends the events as well.
  const timer = setInterval(() => void report().catch(() => undefined), REPORT_INTERVAL_MS);
  try {
    for await (const event of client.runs.events(id, { signal: AbortSignal.any([signal, timeout]) })) {
      if (event.type === 'end') break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
  } finally {
    clearInterval(timer);
  }
  return load();
}

function describeProgress({ id, run_insights: counts, status, waiting_for: waiting = [] }: Run) {
  const { total, succeeded, failed, skipped, stopped, running } = counts;
  const done = succeeded + failed + skipped + stopped;
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  const reasons = waiting.map(({ reason }) => reason).join(', ');
  const waits = reasons === '' ? '' : `, waiting for: ${reasons}`;
  const message = `Run ${id} ${status}: ${done} of ${total} subjobs ended, ${running} running${failures}${waits}`;
  return { done, ...(total > 0 && { total }), message };
}
