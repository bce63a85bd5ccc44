import { createZstdDecompress } from 'node:zlib';
import { ByteSource, decodeFrame } from './byte-source.js';
import { gunzip } from './gunzip.js';
import type { ContentLimit } from './load-limits.js';

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** The compressed bytes of a file end too early or are damaged. The rows before that point have been read. */
export class BrokenContentError extends Error {
  override name = 'BrokenContentError';
}

const MAGIC: [Encoding, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Large enough that the overhead of a chunk is negligible, and small compared with the longest row (1 MiB). */
const CHUNK_BYTES = 256 * 1024;

/** Detects the compression of a file from its first bytes. */
export function detectEncoding(beginning: Buffer): Encoding {
  return MAGIC.find(([, magic]) => magic.every((byte, at) => beginning[at] === byte))?.[0] ?? 'identity';
}

/** @throws BrokenContentError */
export async function* decompress(content: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'identity') {
    yield* content;
    return;
  }
  let sourceFailure: { error: unknown } | undefined;
  const source = new ByteSource(catchFailure(content, (error) => (sourceFailure = { error })));
  try {
    yield* encoding === 'gzip' ? gunzip(source, CHUNK_BYTES) : unzstd(source);
  } catch (error) {
    // A failure of the object store is not the file's fault, and a retry may succeed.
    throw sourceFailure ? sourceFailure.error : new BrokenContentError((error as Error).message);
  }
}

/** Passes content through until it exceeds its limit. @throws LoadTooLargeError */
export async function* limitContent(content: AsyncIterable<Buffer>, limit: ContentLimit): AsyncGenerator<Buffer> {
  let left = limit.maxBytes;
  for await (const chunk of content) {
    left -= chunk.length;
    if (left < 0) throw limit.createError();
    yield chunk;
  }
}

/** Unpacks all frames of a zstd file (RFC 8878). */
async function* unzstd(source: ByteSource): AsyncGenerator<Buffer> {
  do yield* decodeFrame(source, createZstdDecompress({ chunkSize: CHUNK_BYTES }));
  while (!(await source.isAtEnd()));
}

async function* catchFailure(
  content: AsyncIterable<Buffer>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
