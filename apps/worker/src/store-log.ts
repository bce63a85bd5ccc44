import { createReadStream, lstatSync } from 'node:fs';
import { type z } from 'zod';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type storedLog } from '@millrace/contracts/runs/report';
import { type ObjectStore } from '@millrace/storage/object-store';

export type StoredLog = z.infer<typeof storedLog>;

/** What is kept of one stream, in bytes: its beginning, so that offsets stay what they were while it ran. */
export const LOG_BYTES = 16 * 1024 * 1024;

/** Stores what a command printed, and takes the file away; null where it printed nothing or put something else there. */
export async function storeLog(path: string, store: ObjectStore, most = LOG_BYTES): Promise<StoredLog | null> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isFile() || entry.size === 0) return null;
  if (entry.size <= most) return { ...(await store.adopt(path)), truncated: false };
  return { ...(await store.put(createReadStream(path, { end: most - 1 }))), truncated: true };
}

/** The log of a stream that is stored already, because it is an output as well. */
export async function logOfOutput(output: FileRef, store: ObjectStore, most = LOG_BYTES): Promise<StoredLog | null> {
  if (output.size === 0) return null;
  if (output.size <= most) return { sha256: output.sha256, size: output.size, truncated: false };
  return { ...(await store.put(store.read(output.sha256, { end: most - 1 }))), truncated: true };
}
