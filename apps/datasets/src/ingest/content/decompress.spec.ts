import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BrokenContentError, decompress, type Encoding } from './decompress.js';

const split = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

async function open(bytes: Buffer, encoding: Encoding, size: number): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const chunk of decompress(Readable.from(split(bytes, size)), encoding)) text += chunk.toString();
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

const LONG = Array.from({ length: 60_000 }, (_, n) => `row ${(n * 7919) % 60_013}\n`).join('');
const packers = [
  ['gzip', (text: string) => gzipSync(text)],
  ['zstd', (text: string) => zstdCompressSync(text)],
] as const;

describe.each(packers)('%s', (encoding, pack) => {
  it('is unpacked completely, with any number of parts and any chunk size', async () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.constant(LONG)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 70_000 }), async (parts, size) => {
        const bytes = Buffer.concat(parts.map(pack));
        const chunk = Math.max(size, Math.ceil(bytes.length / 1_000));
        expect(await open(bytes, encoding, chunk)).toEqual({ text: parts.join(''), error: null });
      }),
    );
  });

  it.each([1, 5, 1_000_000])('returns everything before foreign bytes, in chunks of %d bytes', async (size) => {
    const bytes = Buffer.concat([pack('one\n'), pack('two\n'), Buffer.from('and something else')]);
    const { text, error } = await open(bytes, encoding, size);
    expect(text).toBe('one\ntwo\n');
    expect(error).toBeInstanceOf(BrokenContentError);
  });

  it.each([3, 12, 1_000])('is broken if it ends %d bytes too early', async (missing) => {
    const bytes = Buffer.concat([pack('one\n'), pack(LONG)]);
    const { text, error } = await open(bytes.subarray(0, -missing), encoding, 65_536);
    expect(text.startsWith('one\nrow 0\n')).toBe(true);
    expect(error).toBeInstanceOf(BrokenContentError);
  });

  it('is broken if it is empty', async () => {
    expect((await open(Buffer.alloc(0), encoding, 1)).error).toBeInstanceOf(BrokenContentError);
  });

  it('fails with the error of its source', async () => {
    const failing = async function* () {
      yield pack(LONG).subarray(0, 1_000);
      await Promise.resolve();
      throw new Error('the store is away');
    };
    const reading = (async () => {
      for await (const chunk of decompress(failing(), encoding)) expect(chunk.length).toBeGreaterThan(0);
    })();
    await expect(reading).rejects.toThrow('the store is away');
  });

  it('can be abandoned early', async () => {
    for await (const chunk of decompress(Readable.from(split(pack(LONG), 100)), encoding)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
  });
});

it('gzip with all optional header fields and zeros at its end is unpacked', async () => {
  const packed = gzipSync('one\n');
  const head = Buffer.from([...packed.subarray(0, 3), 2 + 4 + 8 + 16, ...packed.subarray(4, 10)]);
  const more = Buffer.from([3, 0, 1, 2, 3, ...Buffer.from('name\0comment\0'), 9, 9]);
  const bytes = Buffer.concat([head, more, packed.subarray(10), Buffer.alloc(600)]);
  for (const size of [1, 7, 1_000]) expect(await open(bytes, 'gzip', size)).toEqual({ text: 'one\n', error: null });
});

it('gzip with a wrong checksum is broken', async () => {
  const bytes = gzipSync('one\n');
  bytes[bytes.length - 8] = (bytes[bytes.length - 8] ?? 0) ^ 1;
  expect((await open(bytes, 'gzip', 100)).error).toBeInstanceOf(BrokenContentError);
});

it('zstd skips skippable frames', async () => {
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
  const bytes = Buffer.concat([zstdCompressSync('one\n'), skippable, zstdCompressSync('two\n')]);
  for (const size of [1, 7, 1_000])
    expect(await open(bytes, 'zstd', size)).toEqual({ text: 'one\ntwo\n', error: null });
});
