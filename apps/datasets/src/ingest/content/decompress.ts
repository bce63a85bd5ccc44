import { createZstdDecompress } from 'node:zlib';
import { ByteSource } from './byte-source.js';
import { decodeFrame } from './decode-frame.js';
import { gunzip } from './gunzip.js';
import type { ContentLimit } from './load-limits.js';

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** The file's compressed bytes end too early, or are not what they should be; rows up to there have been read. */
export class BrokenContentError extends Error {
  override name = 'BrokenContent';
}

const MAGIC: [Encoding, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Large enough that a chunk's own cost does not count, small beside the longest row. */
const CHUNK_BYTES = 256 * 1024;

/** How a content is compressed, by its first bytes. */
export function detectEncoding(beginning: Buffer): Encoding {
  return MAGIC.find(([, magic]) => magic.every((byte, at) => beginning[at] === byte))?.[0] ?? 'identity';
}

/**
 * The content as it was before it was compressed, piece by piece.
 * @throws BrokenContent
 */
export async function* decompress(content: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'identity') {
    yield* content;
    return;
  }
  let failed: { error: unknown } | undefined;
  const source = new ByteSource(noteFailure(content, (error) => (failed = { error })));
  try {
    yield* encoding === 'gzip' ? gunzip(source, CHUNK_BYTES) : unzstd(source);
  } catch (error) {
    // What the store did wrong is not the file's fault, and may be tried again.
    throw failed ? failed.error : new BrokenContentError((error as Error).message);
  }
}

/** Passes a content on up to its limit. @throws LoadTooLarge */
export async function* limitContent(content: AsyncIterable<Buffer>, limit: ContentLimit): AsyncGenerator<Buffer> {
  let left = limit.maxBytes;
  for await (const chunk of content) {
    left -= chunk.length;
    if (left < 0) throw limit.createError();
    yield chunk;
  }
}

/** Of frames one after another (RFC 8878). */
async function* unzstd(source: ByteSource): AsyncGenerator<Buffer> {
  do yield* decodeFrame(source, createZstdDecompress({ chunkSize: CHUNK_BYTES }));
  while (!(await source.isAtEnd()));
}

async function* noteFailure(content: AsyncIterable<Buffer>, note: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    note(error);
    throw error;
  }
}
