import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { StoredObject } from '../object-store.js';
import { listDataExtents } from './data-extents.js';

/** A piece of a file. `bytes` are valid until the next piece; a hole reads as zeros. */
interface Piece {
  position: number;
  bytes: Buffer;
  isHole: boolean;
}

const PIECE_BYTES = 1 << 19;
/** Hashing this many zeros takes about 5 ms, after which the event loop may run. */
const ZEROS_PER_ITERATION = 1 << 23;
const ZEROS = Buffer.alloc(PIECE_BYTES);
const read = promisify(fs.read);

/** Iterates over an open file in order, without reading its holes. @throws the reason of `signal` */
async function* readPieces(descriptor: number, signal?: AbortSignal): AsyncGenerator<Piece> {
  const { size } = fs.fstatSync(descriptor);
  const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, Math.max(1, size)));
  let position = 0;
  for (const { start, end } of [...(await listDataExtents(descriptor)), { start: size, end: size }]) {
    for (let zeros = 0; position < start;) {
      signal?.throwIfAborted();
      const bytes = ZEROS.subarray(0, Math.min(PIECE_BYTES, start - position));
      yield { position, bytes, isHole: true };
      position += bytes.length;
      zeros += bytes.length;
      if (zeros % ZEROS_PER_ITERATION === 0) await nextIteration();
    }
    while (position < end) {
      signal?.throwIfAborted();
      const { bytesRead } = await read(descriptor, buffer, 0, Math.min(buffer.length, end - position), position);
      if (bytesRead === 0) return;
      yield { position, bytes: buffer.subarray(0, bytesRead), isHole: false };
      position += bytesRead;
    }
  }
}

/** Computes the SHA-256 of an open file, in hexadecimal digits. @throws the reason of `signal` */
export async function hashDescriptor(descriptor: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const { bytes } of readPieces(descriptor, signal)) hash.update(bytes);
  return hash.digest('hex');
}

/**
 * Copies an open file to a new one, with its holes, and hashes it.
 * @throws the reason of `signal`; the caller must then delete the new file
 */
export async function copyHashed(descriptor: number, target: string, signal?: AbortSignal): Promise<StoredObject> {
  const hash = createHash('sha256');
  const size = await copyPieces(descriptor, target, signal, (bytes) => hash.update(bytes));
  return { sha256: hash.digest('hex'), size };
}

/** Copies a file to a new one, with its holes. */
export async function copySparse(source: string, target: string): Promise<void> {
  const descriptor = fs.openSync(source, fs.constants.O_RDONLY);
  try {
    await copyPieces(descriptor, target);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function copyPieces(
  descriptor: number,
  target: string,
  signal?: AbortSignal,
  onPiece: (bytes: Buffer) => void = () => undefined,
): Promise<number> {
  let size = 0;
  const file = await open(target, 'wx');
  try {
    for await (const { position, bytes, isHole } of readPieces(descriptor, signal)) {
      onPiece(bytes);
      if (!isHole) await file.write(bytes, 0, bytes.length, position);
      size = position + bytes.length;
    }
    await file.truncate(size);
  } finally {
    await file.close();
  }
  return size;
}
