import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { demultiplex, type OutputStream } from './demultiplex.js';

const frame = (stream: OutputStream, content: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header[0] = stream === 'stdout' ? 1 : 2;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
};

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(bytes: Buffer, size: number): Promise<Record<OutputStream, string>> {
  const collected = { stdout: '', stderr: '' };
  for await (const [stream, content] of demultiplex(cut(bytes, size))) collected[stream] += content.toString('hex');
  return collected;
}

it('separates the streams of a container, however its frames arrive', async () => {
  const frames = fc.array(fc.tuple(fc.constantFrom<OutputStream>('stdout', 'stderr'), fc.uint8Array()));
  await fc.assert(
    fc.asyncProperty(frames, fc.integer({ min: 1, max: 50 }), async (list, size) => {
      const expected = { stdout: '', stderr: '' };
      for (const [stream, content] of list) expected[stream] += Buffer.from(content).toString('hex');
      const bytes = Buffer.concat(list.map(([stream, content]) => frame(stream, Buffer.from(content))));
      expect(await collect(bytes, size)).toEqual(expected);
    }),
  );
});

it.each([
  ['a header', frame('stdout', Buffer.from('text')).subarray(0, 5), 'within a frame'],
  ['its content', frame('stdout', Buffer.from('text')).subarray(0, 10), 'within a frame'],
  ['the middle of bytes that are no frame', Buffer.from('text without frames'), 'unknown frame'],
])('rejects an output that is cut in %s', async (_, bytes, message) => {
  await expect(collect(bytes, 100)).rejects.toThrow(message);
});
