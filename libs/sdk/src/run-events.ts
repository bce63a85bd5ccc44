import type { Operation } from '@millrace/contracts/kit/operation';
import { runEvents as operation, type StatusChange } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import type { LooseInput } from './call-input.js';
import { iterateStream } from './iterate-stream.js';
import { readFrames } from './read-frames.js';
import { reconnect } from './reconnect.js';

/** A status change with its number, or the end of the run, which is the last event. */
export type RunEvent = { type: 'change'; seq: number; change: StatusChange } | { type: 'end'; status: RunStatus };

export interface RunEventsOptions {
  /** Number of the last change that is known already. */
  after?: number;
  signal?: AbortSignal;
}

/** The server writes a comment every 15 seconds where there is nothing else to say. */
const SILENT_MS = 60_000;

type Send = (operation: Operation, input: LooseInput, headers: Record<string, string>) => Promise<Response>;

/** Follows a run's server-sent events; after a broken connection it goes on behind the last change that it gave. */
export async function* runEvents(send: Send, run: string, options: RunEventsOptions): AsyncGenerator<RunEvent, void> {
  let last = options.after ?? 0;
  const { signal } = options;
  async function* open(): AsyncGenerator<RunEvent, boolean> {
    const input = { params: { id: run }, query: { after: last }, ...(signal && { signal }) };
    const headers = { accept: 'text/event-stream', ...(last > 0 && { 'last-event-id': String(last) }) };
    const { body } = await send(operation, input, headers);
    if (body === null) return false;
    for await (const frame of readFrames(iterateStream(body, SILENT_MS))) {
      if (frame.event === 'end') {
        yield { type: 'end', ...(JSON.parse(frame.data) as { status: RunStatus }) };
        return true;
      }
      const seq = Number(frame.id);
      // Sent twice where the connection broke between a change and our knowing of it.
      if (frame.event !== 'change' || seq <= last) continue;
      last = seq;
      yield { type: 'change', seq, change: JSON.parse(frame.data) as StatusChange };
    }
    return false;
  }
  yield* reconnect(open, signal);
}
