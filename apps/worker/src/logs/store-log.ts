import { createReadStream, lstatSync } from 'node:fs';
import { type z } from 'zod';
import { type FileRef } from '@millrace/contracts/runs/files';
import { LOG_HEAD_BYTES, LOG_TAIL_BYTES } from '@millrace/contracts/runs/log-gap';
import { type storedLog } from '@millrace/contracts/runs/stored-log';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type Masker } from '../masking/masker.js';
import { type OffsetTranslator } from '../masking/offset-translator.js';
import { storeHeadAndTail } from './store-head-and-tail.js';

export type StoredLog = z.infer<typeof storedLog>;

interface StoreLogOptions {
  /** Bytes of the beginning and of the end that are stored of a longer log. */
  head?: number;
  tail?: number;
  /** Whether the command was killed, so that the log may end within a secret value. */
  cut?: boolean;
  /** Gets the place of everything in the masked log. */
  translator?: OffsetTranslator | null;
}

/**
 * Stores the output of a command and removes the file. Of a long log it stores the beginning and the end. A log with secret
 * variables is masked before it is cut: no value is cut in two, and offsets are the same as while the log grew.
 * @returns null if the command printed nothing, or replaced the file by something else
 */
export async function storeLog(
  path: string,
  store: ObjectStore,
  masker: Masker | null,
  { head = LOG_HEAD_BYTES, tail = LOG_TAIL_BYTES, cut = false, translator = null }: StoreLogOptions = {},
): Promise<StoredLog | null> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isFile() || entry.size === 0) return null;
  if (masker) return storeHeadAndTail(masker.mask(createReadStream(path), cut, translator), store, { head, tail });
  if (entry.size <= head + tail) return { ...(await store.adopt(path)), truncated: false };
  const stored = await store.put(readEnds(path, head, entry.size - tail));
  return { ...stored, truncated: true, head, total: entry.size };
}

async function* readEnds(path: string, head: number, tail: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { end: head - 1 }) as AsyncIterable<Buffer>;
  yield* createReadStream(path, { start: tail }) as AsyncIterable<Buffer>;
}

/** The log of a stream that is already stored as an output. It is always complete. */
export function toStoredLog(output: FileRef): StoredLog | null {
  if (output.size === 0) return null;
  const { sha256, size } = output.shown ?? output;
  return { sha256, size, truncated: false };
}
