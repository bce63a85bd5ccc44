import { createReadStream, lstatSync } from 'node:fs';
import { type z } from 'zod';
import { type FileRef } from '@millrace/contracts/runs/files';
import { LOG_HEAD_BYTES, LOG_TAIL_BYTES } from '@millrace/contracts/runs/log-gap';
import { type storedLog } from '@millrace/contracts/runs/stored-log';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type Masker } from '../masking/masker.js';
import { storeHeadAndTail } from './store-head-and-tail.js';

export type StoredLog = z.infer<typeof storedLog>;

interface StoreLogOptions {
  /** Bytes that are kept of a log that is longer than both together. */
  head?: number;
  tail?: number;
  /** Whether the command was ended, perhaps in the middle of a value. */
  cut?: boolean;
}

/**
 * Stores what a command printed, and takes the file away; null where it printed nothing or put something else there. Of a
 * long log the beginning and the end are kept. One with variables is masked as a whole before it is cut, so that no value
 * is cut in two and offsets are those of the log as it was shown while it grew.
 */
export async function storeLog(
  path: string,
  store: ObjectStore,
  masker: Masker | null,
  { head = LOG_HEAD_BYTES, tail = LOG_TAIL_BYTES, cut = false }: StoreLogOptions = {},
): Promise<StoredLog | null> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isFile() || entry.size === 0) return null;
  if (masker) return storeHeadAndTail(masker.mask(createReadStream(path), cut), store, { head, tail });
  if (entry.size <= head + tail) return { ...(await store.adopt(path)), truncated: false };
  const kept = await store.put(readEnds(path, head, entry.size - tail));
  return { ...kept, truncated: true, head, total: entry.size };
}

async function* readEnds(path: string, head: number, tail: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { end: head - 1 }) as AsyncIterable<Buffer>;
  yield* createReadStream(path, { start: tail }) as AsyncIterable<Buffer>;
}

/** The log of a stream that is stored already, because it is an output as well: all of it, whatever its length. */
export function toStoredLog(output: FileRef): StoredLog | null {
  if (output.size === 0) return null;
  const { sha256, size } = output.shown ?? output;
  return { sha256, size, truncated: false };
}
