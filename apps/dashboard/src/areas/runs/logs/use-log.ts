import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { client } from '../../../api/client.js';
import { isSessionOver, isUnavailable } from '../../../api/describe-error.js';
import { whileVisible } from '../../../api/while-visible.js';
import { batchByFrame } from '../live/batch-by-frame.js';
import { LogBuffer } from './text/log-buffer.js';

export interface LogSource {
  run: string;
  subjob: string;
  stream: 'stdout' | 'stderr';
  attempt: number;
}

/** How long after a lost stream it is opened again. */
const REOPEN_INTERVAL_MS = 2_000;

/** Reads the log of one attempt as it is written. */
export function useLog({ run, subjob, stream, attempt }: LogSource): LogBuffer {
  // Another log has another buffer.
  const buffer = useMemo(() => new LogBuffer(), [run, subjob, stream, attempt]);
  useEffect(() => {
    const batch = batchByFrame(() => buffer.publish());
    const end = whileVisible((signal) => readLog(buffer, { run, subjob, stream, attempt }, signal, batch.schedule));
    return () => {
      end();
      batch.cancel();
    };
  }, [buffer, run, subjob, stream, attempt]);
  return buffer;
}

async function readLog(
  buffer: LogBuffer,
  { run, subjob, stream, attempt }: LogSource,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  while (!buffer.isComplete && !signal.aborted) {
    try {
      await appendLog(buffer, client.subjobs.logs(run, subjob, { stream, attempt, follow: true, signal }), onChange);
      buffer.complete();
    } catch (error) {
      if (signal.aborted) return;
      if (isSessionOver(error)) throw error;
      if (!isUnavailable(error)) buffer.complete(error);
      else await new Promise((resolve) => setTimeout(resolve, REOPEN_INTERVAL_MS));
    }
    onChange();
  }
}

/** A page that was hidden reads the log from its beginning again, without the bytes that it has. */
async function appendLog(buffer: LogBuffer, chunks: AsyncIterable<Uint8Array>, onChange: () => void): Promise<void> {
  let skipped = buffer.received;
  for await (const chunk of chunks) {
    const added = chunk.subarray(Math.min(skipped, chunk.length));
    skipped -= chunk.length - added.length;
    if (added.length === 0) continue;
    buffer.append(added);
    onChange();
  }
}

/** Renders again when the log has changed. */
export const useLogVersion = (buffer: LogBuffer): number =>
  useSyncExternalStore(buffer.subscribe, () => buffer.version);
