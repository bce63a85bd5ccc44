import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PutOptions, StoredObject } from './object-store.js';

/** What may wait for the disk, in bytes, so that pieces are hashed meanwhile and written several at once. */
const WAITING = 1 << 20;
/** What is to be synced in the end is synced every so many bytes: the disk works while content comes, not after it. */
const SYNC_EVERY = 32 << 20;

/**
 * Writes a stream to a new file and hashes it on its way.
 * @param options of a put; `durable` syncs most of it early, and leaves the rest to whoever gives it its name
 * @throws the reason of `signal`
 */
export async function writeHashed(
  content: AsyncIterable<Uint8Array>,
  path: string,
  { signal, durable = false }: Pick<PutOptions, 'signal' | 'durable'> = {},
): Promise<StoredObject> {
  const sum = createHash('sha256');
  let size = 0;
  // Opened before anything can fail: a stream that opens by itself may make the file after its caller took it away.
  const file = await open(path, 'wx');
  const sync = durable ? syncing(file) : null;
  const hashed = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      sum.update(piece);
      size += piece.byteLength;
      sync?.wrote(piece.byteLength);
      yield piece;
    }
  };
  try {
    await pipeline(content, hashed, file.createWriteStream({ highWaterMark: WAITING }));
  } finally {
    await sync?.ended();
    await file.close();
  }
  return { sha256: sum.digest('hex'), size };
}

/** Syncs a file that is being written now and then, once at a time. What fails shows in the last sync, of its owner. */
function syncing(file: FileHandle): { wrote(bytes: number): void; ended(): Promise<void> } {
  let unsynced = 0;
  let under: Promise<void> | null = null;
  return {
    wrote: (bytes) => {
      unsynced += bytes;
      if (unsynced < SYNC_EVERY || under) return;
      unsynced = 0;
      under = file
        .datasync()
        .catch(() => undefined)
        .finally(() => (under = null));
    },
    ended: async () => void (await under),
  };
}
