export type OutputStream = 'stdout' | 'stderr';

const HEADER_BYTES = 8;
const STREAMS: Record<number, OutputStream> = { 1: 'stdout', 2: 'stderr' };

/**
 * Separates the output of a container that has no terminal. Each frame has a header of eight bytes: the stream, three zeros,
 * and the length as a big-endian number (Engine API, "Attach to a container").
 * @returns pieces in order; never more than the chunk that they come from, so that nothing is collected in memory
 * @throws Error if the bytes are no frames
 */
export async function* demultiplex(chunks: AsyncIterable<Buffer>): AsyncGenerator<[OutputStream, Buffer]> {
  let header = Buffer.alloc(0);
  let current: OutputStream = 'stdout';
  let remaining = 0;
  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      if (remaining === 0) {
        const piece = chunk.subarray(at, at + HEADER_BYTES - header.length);
        at += piece.length;
        header = Buffer.concat([header, piece]);
        if (header.length < HEADER_BYTES) break;
        [current, remaining] = readHeader(header);
        header = Buffer.alloc(0);
        continue;
      }
      const content = chunk.subarray(at, at + remaining);
      at += content.length;
      remaining -= content.length;
      yield [current, content];
    }
  }
  if (remaining > 0 || header.length > 0) throw new Error('The output of a container ended within a frame.');
}

function readHeader(header: Buffer): [OutputStream, number] {
  const stream = STREAMS[header[0] ?? 0];
  if (stream === undefined || header.readUIntBE(1, 3) !== 0)
    throw new Error(`The output of a container has an unknown frame: ${header.toString('hex')}.`);
  return [stream, header.readUInt32BE(4)];
}
