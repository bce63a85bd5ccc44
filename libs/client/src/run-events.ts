import type { CoreClient } from './core.js';
import { runs } from './generated/operations.js';
import type { Run, RunChange } from './generated/types.js';
import { openStream } from './open-stream.js';
import { readFrames } from './read-frames.js';
import { reconnect } from './reconnect.js';

/** A status change with its number, or the end of the run, which is the last event. */
export type RunEvent = { type: 'change'; seq: number; change: RunChange } | { type: 'end'; status: Run['status'] };

export interface RunEventsOptions {
  /** Number of the last change that the caller already has. */
  after?: number;
  signal?: AbortSignal;
}

/** The server writes a comment every 15 seconds if there is no event. */
const SILENCE_TIMEOUT_MS = 60_000;

/** Follows a run's server-sent events. After a lost connection it continues after the last change that it yielded. */
export async function* runEvents(
  client: CoreClient,
  run: string,
  options: RunEventsOptions = {},
): AsyncGenerator<RunEvent, void> {
  let last = options.after ?? 0;
  const { signal } = options;
  async function* open(): AsyncGenerator<RunEvent, boolean> {
    const input = { params: { id: run }, query: { after: last }, ...(signal && { signal }) };
    const { chunks } = await openStream(client, runs.events, input, {
      type: 'text/event-stream',
      ...(last > 0 && { headers: { 'last-event-id': String(last) } }),
      silenceTimeoutMs: SILENCE_TIMEOUT_MS,
    });
    for await (const frame of readFrames(chunks)) {
      if (frame.event === 'end') {
        yield { type: 'end', ...(JSON.parse(frame.data) as { status: Run['status'] }) };
        return true;
      }
      const seq = Number(frame.id);
      // The server repeats a change if the connection was lost before the client had read all of it.
      if (frame.event !== 'change' || seq <= last) continue;
      last = seq;
      yield { type: 'change', seq, change: JSON.parse(frame.data) as RunChange };
    }
    return false;
  }
  yield* reconnect(open, signal);
}
