import type { Operation } from '@millrace/contracts/kit/operation';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import type { LooseInput } from './call-input.js';
import { iterateStream } from './iterate-stream.js';
import { reconnect } from './reconnect.js';

export interface LogOptions {
  stream?: 'stdout' | 'stderr';
  /** False for what is there now. */
  follow?: boolean;
  signal?: AbortSignal;
}

/** A log that is followed is answered when its step first writes something. */
const FIRST_BYTE_MS = 2 ** 31 - 1;

/** Reads a log from its start; after a broken connection it leaves out what it gave already. */
export async function* followLog(
  send: (operation: Operation, input: LooseInput) => Promise<Response>,
  run: string,
  subjob: string,
  { stream = 'stdout', follow = true, signal }: LogOptions,
): AsyncGenerator<Uint8Array, void> {
  let given = 0;
  async function* open(): AsyncGenerator<Uint8Array, boolean> {
    const query = { stream, follow: String(follow) };
    const input = { params: { id: run, subjobId: subjob }, query, timeoutMs: FIRST_BYTE_MS };
    const { body } = await send(readLogs, { ...input, ...(signal && { signal }) });
    let position = 0;
    for await (const chunk of body === null ? [] : iterateStream(body)) {
      const fresh = chunk.subarray(Math.max(0, Math.min(chunk.length, given - position)));
      position += chunk.length;
      if (fresh.length === 0) continue;
      given += fresh.length;
      yield fresh;
    }
    return true;
  }
  yield* reconnect(open, signal);
}
