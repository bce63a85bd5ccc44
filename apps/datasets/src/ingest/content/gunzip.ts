import { crc32, createInflateRaw } from 'node:zlib';
import { type ByteSource, decodeFrame } from './byte-source.js';

const MAGIC = Buffer.from([0x1f, 0x8b, 8]);
const [HAS_CHECK, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

/**
 * Unpacks all members of a gzip file (RFC 1952). Node's own gunzip discards what it has unpacked when it finds bytes that
 * are not a member.
 */
export async function* gunzip(source: ByteSource, chunkSize: number): AsyncGenerator<Buffer> {
  do {
    await skipHeader(source);
    let [sum, size] = [0, 0];
    for await (const chunk of decodeFrame(source, createInflateRaw({ chunkSize }))) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      yield chunk;
    }
    const trailer = await readExactly(source, 8);
    if (trailer.readUInt32LE(0) !== sum) throw new Error('incorrect data check');
    if (trailer.readUInt32LE(4) !== size % 2 ** 32) throw new Error('incorrect length check');
  } while (!(await hasOnlyPadding(source)));
}

async function skipHeader(source: ByteSource): Promise<void> {
  const header = await readExactly(source, 10);
  if (!header.subarray(0, 3).equals(MAGIC)) throw new Error('incorrect header check');
  const flags = header[3] ?? 0;
  if (flags & HAS_EXTRA) await readExactly(source, (await readExactly(source, 2)).readUInt16LE());
  if (flags & HAS_NAME) await skipText(source);
  if (flags & HAS_COMMENT) await skipText(source);
  if (flags & HAS_CHECK) await readExactly(source, 2);
}

async function skipText(source: ByteSource): Promise<void> {
  for (;;) {
    const chunk = await source.next();
    if (!chunk) throw new Error('unexpected end of file');
    const end = chunk.indexOf(0);
    if (end !== -1) return source.unread(chunk.subarray(end + 1));
  }
}

async function readExactly(source: ByteSource, count: number): Promise<Buffer> {
  const bytes = await source.read(count);
  if (bytes.length < count) throw new Error('unexpected end of file');
  return bytes;
}

/** Whether only zeros follow, which fill the last block of a tape. The command `gzip` accepts them, too. */
async function hasOnlyPadding(source: ByteSource): Promise<boolean> {
  for (;;) {
    const chunk = await source.next();
    if (!chunk) return true;
    const start = chunk.findIndex((byte) => byte !== 0);
    if (start === -1) continue;
    source.unread(chunk.subarray(start));
    return false;
  }
}
