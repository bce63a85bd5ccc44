import { createReadStream, lstatSync } from 'node:fs';
import { type z } from 'zod';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type storedLog } from '@millrace/contracts/runs/report';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type Masker } from './variables/masker.js';

export type StoredLog = z.infer<typeof storedLog>;

/** What is kept of one stream, in bytes: its beginning, so that offsets stay what they were while it ran. */
export const LOG_BYTES = 16 * 1024 * 1024;

/**
 * Stores what a command printed, and takes the file away; null where it printed nothing or put something else there.
 * @param options.cut whether the command was ended, perhaps in the middle of a value
 */
export async function storeLog(
  path: string,
  store: ObjectStore,
  masker: Masker | null,
  { most = LOG_BYTES, cut = false }: { most?: number; cut?: boolean } = {},
): Promise<StoredLog | null> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isFile() || entry.size === 0) return null;
  const truncated = entry.size > most;
  if (!masker && !truncated) return { ...(await store.adopt(path)), truncated };
  const start = createReadStream(path, { end: most - 1 });
  return { ...(await putShown(start, cut || truncated, store, masker)), truncated };
}

/** The log of a stream that is stored already, because it is an output as well. */
export async function logOfOutput(
  output: FileRef,
  store: ObjectStore,
  masker: Masker | null,
): Promise<StoredLog | null> {
  if (output.size === 0) return null;
  const { sha256, size } = output.shown ?? output;
  if (output.size <= LOG_BYTES) return { sha256, size, truncated: false };
  const start = store.read(output.sha256, { end: LOG_BYTES - 1 });
  return { ...(await putShown(start, true, store, masker)), truncated: true };
}

const putShown = (log: AsyncIterable<Uint8Array>, cut: boolean, store: ObjectStore, masker: Masker | null) =>
  store.put(masker?.mask(log, cut) ?? log);
