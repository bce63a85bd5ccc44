import type { CoreClient } from './core.js';
import { subjobs } from './generated/operations.js';
import { openStream } from './open-stream.js';
import { reconnect } from './reconnect.js';

export interface LogOptions {
  stream?: 'stdout' | 'stderr';
  /** False to read only the part of the log that exists now. */
  follow?: boolean;
  /** Number of an attempt; default: the last attempt when the log is requested. */
  attempt?: number;
  /** Begin with this number of last lines of the existing log; at most 10,000. */
  tail?: number;
  /** Called with the number of the attempt whose log follows, and the byte of the complete log at which it begins. */
  onAttempt?: (attempt: number, offset: number) => void;
  signal?: AbortSignal;
}

/** The server responds to a followed log when the step first writes something. This is the maximum delay of a timer. */
const FIRST_BYTE_TIMEOUT_MS = 2 ** 31 - 1;

/** The position of a reader in the log of one attempt. */
interface Position {
  /** Null if the server is of an earlier version and does not report it. */
  attempt: number | null;
  /** Byte of the complete log at which the current response began. */
  offset: number;
  /** Number of bytes that the reader has received since `offset`. */
  received: number;
  /** Whether the attempt was still running at the request. The received bytes are then consecutive bytes of the log. */
  isGrowing: boolean;
}

/** Reads the log of one attempt. After a lost connection it continues at the same position. */
export async function* followLog(
  client: CoreClient,
  run: string,
  subjob: string,
  { stream = 'stdout', follow = true, attempt, tail, onAttempt, signal }: LogOptions = {},
): AsyncGenerator<Uint8Array, void> {
  let position: Position | null = null;
  async function* open(): AsyncGenerator<Uint8Array, boolean> {
    const input = {
      ...{ params: { id: run, subjobId: subjob }, timeoutMs: FIRST_BYTE_TIMEOUT_MS },
      query: { stream, follow: String(follow), ...toQuery(position, attempt, tail) },
      ...(signal && { signal }),
    };
    const { headers, chunks } = await openStream(client, subjobs.logs, input, { type: 'text/plain' });
    position = toPosition(position, headers);
    if (position.attempt !== null) onAttempt?.(position.attempt, position.offset);
    let responseBytes = 0;
    for await (const chunk of chunks) {
      const unread = chunk.subarray(Math.max(0, Math.min(chunk.length, position.received - responseBytes)));
      responseBytes += chunk.length;
      if (unread.length === 0) continue;
      position.received += unread.length;
      yield unread;
    }
    return true;
  }
  yield* reconnect(open, signal);
}

/**
 * After a lost connection, a growing log continues behind the received bytes. A stored log is requested from the same offset
 * again, and the reader skips the received bytes. Some bytes are repeated in one case only: the connection is lost within the
 * last bytes of a log that has ended since the request and that lacks a part.
 */
function toQuery(
  position: Position | null,
  attempt: number | undefined,
  tail: number | undefined,
): Record<string, string> {
  if (position === null) {
    return {
      ...(attempt !== undefined && { attempt: String(attempt) }),
      ...(tail !== undefined && { tail: String(tail) }),
    };
  }
  const offset = position.offset + (position.isGrowing ? position.received : 0);
  return {
    ...(position.attempt !== null && { attempt: String(position.attempt) }),
    ...(offset > 0 && { offset: String(offset) }),
  };
}

function toPosition(previous: Position | null, headers: Headers): Position {
  const attempt = headers.get('x-log-attempt');
  return {
    attempt: attempt === null ? null : Number(attempt),
    offset: Number(headers.get('x-log-offset') ?? 0),
    received: previous === null || previous.isGrowing ? 0 : previous.received,
    isGrowing: ['running', 'waiting'].includes(headers.get('x-log-state') ?? ''),
  };
}
