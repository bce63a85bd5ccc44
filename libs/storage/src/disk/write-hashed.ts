import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PutOptions, StoredObject } from '../object-store.js';

/** Buffered bytes that wait for the disk, so that hashing continues and several pieces share a write. */
const BUFFER_BYTES = 1 << 20;
/**
 * A durable file is synced whenever this many bytes were written: the disk works while content arrives, not afterwards.
 */
const SYNC_INTERVAL_BYTES = 32 << 20;

/**
 * Writes a stream to a new file and hashes it.
 * @param options `durable` syncs most of it early; the caller that renames the file syncs the rest
 * @throws the reason of `signal`
 */
export async function writeHashed(
  content: AsyncIterable<Uint8Array>,
  path: string,
  { signal, durable = false }: Pick<PutOptions, 'signal' | 'durable'> = {},
): Promise<StoredObject> {
  const digest = createHash('sha256');
  let size = 0;
  // Opened first: a stream that opens the file itself might create it after its caller has deleted it.
  const file = await open(path, 'wx');
  const sync = durable ? createPeriodicSync(file) : null;
  const hashPieces = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      digest.update(piece);
      size += piece.byteLength;
      sync?.onWritten(piece.byteLength);
      yield piece;
    }
  };
  try {
    await pipeline(content, hashPieces, file.createWriteStream({ highWaterMark: BUFFER_BYTES }));
  } finally {
    await sync?.settled();
    await file.close();
  }
  return { sha256: digest.digest('hex'), size };
}

/**
 * Syncs a file from time to time while it is written, one sync at a time. The final sync of the caller reports
 * failures.
 */
function createPeriodicSync(file: FileHandle): { onWritten(bytes: number): void; settled(): Promise<void> } {
  let unsynced = 0;
  let pendingSync: Promise<void> | null = null;
  return {
    onWritten: (bytes) => {
      unsynced += bytes;
      if (unsynced < SYNC_INTERVAL_BYTES || pendingSync) return;
      unsynced = 0;
      pendingSync = file
        .datasync()
        .catch(() => undefined)
        .finally(() => (pendingSync = null));
    },
    settled: async () => void (await pendingSync),
  };
}
