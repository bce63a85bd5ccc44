import type { Operation } from '@millrace/contracts/kit/operation';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import type { LooseInput } from './call-input.js';
import { iterateStream } from './iterate-stream.js';
import { reconnect } from './reconnect.js';

export interface LogOptions {
  stream?: 'stdout' | 'stderr';
  /** False for what is there now. */
  follow?: boolean;
  /** Number of an attempt; absent is the one that is the last when the log is asked for. */
  attempt?: number;
  /** Begins with so many last lines of what there is; at most 10,000. */
  tail?: number;
  /** Is given the number of the attempt whose log it is. */
  onAttempt?: (attempt: number) => void;
  signal?: AbortSignal;
}

/** A log that is followed is answered when its step first writes something. */
const FIRST_BYTE_MS = 2 ** 31 - 1;

/** Where a reader is in the log of one attempt. */
interface Place {
  /** Null if the server is of an earlier version and does not say it. */
  attempt: number | null;
  /** Byte of the complete log at which the current answer began, and what it gave since. */
  offset: number;
  given: number;
  /** Whether the log grew when it was asked for: what it gave are then consecutive bytes of it. */
  grew: boolean;
}

/** Reads the log of one attempt; after a broken connection it goes on where it was. */
export async function* followLog(
  send: (operation: Operation, input: LooseInput) => Promise<Response>,
  run: string,
  subjob: string,
  { stream = 'stdout', follow = true, attempt, tail, onAttempt, signal }: LogOptions,
): AsyncGenerator<Uint8Array, void> {
  let place: Place | null = null;
  async function* open(): AsyncGenerator<Uint8Array, boolean> {
    const { body, headers } = await send(readLogs, {
      ...{ params: { id: run, subjobId: subjob }, timeoutMs: FIRST_BYTE_MS },
      query: { stream, follow: String(follow), ...queryOf(place, attempt, tail) },
      ...(signal && { signal }),
    });
    place = enter(place, headers);
    if (place.attempt !== null) onAttempt?.(place.attempt);
    let position = 0;
    for await (const chunk of body === null ? [] : iterateStream(body)) {
      const fresh = chunk.subarray(Math.max(0, Math.min(chunk.length, place.given - position)));
      position += chunk.length;
      if (fresh.length === 0) continue;
      place.given += fresh.length;
      yield fresh;
    }
    return true;
  }
  yield* reconnect(open, signal);
}

/**
 * A stored log is asked for from the same byte again, and what it gave is left out; one that grew goes on behind that. Only if
 * the connection breaks within the last bytes of a log that ended meanwhile, and of which a part is missing, some come twice.
 */
function queryOf(place: Place | null, attempt: number | undefined, tail: number | undefined): Record<string, string> {
  if (place === null) {
    return {
      ...(attempt !== undefined && { attempt: String(attempt) }),
      ...(tail !== undefined && { tail: String(tail) }),
    };
  }
  const offset = place.offset + (place.grew ? place.given : 0);
  return {
    ...(place.attempt !== null && { attempt: String(place.attempt) }),
    ...(offset > 0 && { offset: String(offset) }),
  };
}

function enter(former: Place | null, headers: Headers): Place {
  const attempt = headers.get('x-log-attempt');
  return {
    attempt: attempt === null ? null : Number(attempt),
    offset: Number(headers.get('x-log-offset') ?? 0),
    given: former === null || former.grew ? 0 : former.given,
    grew: ['running', 'waiting'].includes(headers.get('x-log-state') ?? ''),
  };
}
