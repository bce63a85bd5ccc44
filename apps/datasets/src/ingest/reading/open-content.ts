import { Readable, pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** The file's compressed bytes end too early, or are not what they should be; rows up to there have been read. */
export class BrokenContent extends Error {
  override name = 'BrokenContent';
}

const MAGIC: [Encoding, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** Large enough that a chunk's own cost does not count, small beside the longest row. */
const CHUNK = 256 * 1024;

/** How a content is compressed, by its first bytes. */
export function findEncoding(beginning: Buffer): Encoding {
  return MAGIC.find(([, magic]) => magic.every((byte, at) => beginning[at] === byte))?.[0] ?? 'identity';
}

/** The content as it was before it was compressed, piece by piece. */
export async function* decompress(content: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'identity') {
    yield* content;
    return;
  }
  const open = encoding === 'gzip' ? createGunzip({ chunkSize: CHUNK }) : createZstdDecompress({ chunkSize: CHUNK });
  const source = Readable.from(content, { objectMode: false });
  let failed: Error | undefined;
  source.once('error', (error) => (failed = error));
  pipeline(source, open, () => undefined);
  try {
    yield* open as AsyncIterable<Buffer>;
  } catch (error) {
    // What the store did wrong is not the file's fault, and may be tried again.
    throw failed ?? new BrokenContent((error as Error).message);
  }
}
