import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { StoredObject } from './object-store.js';

/** What may wait for the disk, in bytes, so that pieces are hashed meanwhile and written several at once. */
const WAITING = 1 << 20;
const PIECE = 1 << 19;
const read = promisify(fs.read);

/** Writes a stream to a new file and hashes it on its way. @throws the reason of `signal` */
export async function writeHashed(
  content: AsyncIterable<Uint8Array>,
  path: string,
  signal?: AbortSignal,
): Promise<StoredObject> {
  const sum = createHash('sha256');
  let size = 0;
  const hashed = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      sum.update(piece);
      size += piece.byteLength;
      yield piece;
    }
  };
  // Opened before anything can fail: a stream that opens by itself may make the file after its caller took it away.
  const file = await open(path, 'wx');
  try {
    await pipeline(content, hashed, file.createWriteStream({ highWaterMark: WAITING }));
  } finally {
    await file.close();
  }
  return { sha256: sum.digest('hex'), size };
}

/** SHA-256 of a whole open file, in hexadecimal digits. @throws the reason of `signal` */
export async function hashDescriptor(descriptor: number, signal?: AbortSignal): Promise<string> {
  const sum = createHash('sha256');
  for await (const piece of readDescriptor(descriptor)) {
    signal?.throwIfAborted();
    sum.update(piece);
  }
  return sum.digest('hex');
}

/** All of an open file from its beginning. Not by a stream, which closes it when it is left early, `autoClose` or not. */
export async function* readDescriptor(descriptor: number): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    const { bytesRead } = await read(descriptor, piece, 0, PIECE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
