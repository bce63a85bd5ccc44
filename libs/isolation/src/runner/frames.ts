/** Frames of the runner are short. A longer one, in bytes, does not come from it. */
const MAX_FRAME_BYTES = 1 << 20;

/** Bytes that cannot be a frame of the runner. */
export class InvalidFrameError extends Error {
  override name = 'InvalidFrameError';
}

/** Encodes one frame of runner.pl's protocol: a 32-bit big-endian length, then each field with a length of its own. */
export function encodeFrame(fields: readonly string[]): Buffer {
  const lengths = fields.map((field) => Buffer.byteLength(field));
  const body = lengths.reduce((sum, length) => sum + 4 + length, 0);
  const frame = Buffer.allocUnsafe(4 + body);
  let at = frame.writeUInt32BE(body, 0);
  fields.forEach((field, index) => {
    at = frame.writeUInt32BE(lengths[index] ?? 0, at);
    at += frame.write(field, at);
  });
  return frame;
}

/** Divides a stream of bytes into frames, independent of its chunks. */
export class FrameReader {
  private unread: Buffer = Buffer.alloc(0);

  /** Returns the frames that are complete now. @throws InvalidFrameError */
  push(chunk: Buffer): string[][] {
    this.unread = this.unread.length === 0 ? chunk : Buffer.concat([this.unread, chunk]);
    const frames: string[][] = [];
    while (this.unread.length >= 4) {
      const length = this.unread.readUInt32BE(0);
      if (length > MAX_FRAME_BYTES) throw new InvalidFrameError(`The runner announced a frame of ${length} bytes.`);
      if (this.unread.length < 4 + length) break;
      frames.push(decodeFields(this.unread.subarray(4, 4 + length)));
      this.unread = this.unread.subarray(4 + length);
    }
    return frames;
  }
}

function decodeFields(body: Buffer): string[] {
  const fields: string[] = [];
  for (let at = 0; at < body.length;) {
    const end = at + 4 <= body.length ? at + 4 + body.readUInt32BE(at) : Infinity;
    if (end > body.length) throw new InvalidFrameError('The runner sent a field that is longer than its frame.');
    fields.push(body.toString('utf8', at + 4, end));
    at = end;
  }
  return fields;
}
