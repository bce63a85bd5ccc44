/** A message that a client publishes, or a control line, with all its bytes. */
export interface Frame {
  bytes: Buffer;
  /** Null for a control line. */
  subject: string | null;
}

const LINE_END = Buffer.from('\r\n');

/** Splits what a NATS client sends into frames (NATS docs, "Client Protocol"). */
export class FrameParser {
  private rest = Buffer.alloc(0);

  /** @returns the frames that are complete now */
  push(bytes: Buffer): Frame[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const frames: Frame[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): Frame | undefined {
    const end = this.rest.indexOf(LINE_END);
    if (end === -1) return undefined;
    const [verb = '', subject = '', ...more] = this.rest.subarray(0, end).toString('latin1').split(/\s+/);
    const isMessage = ['PUB', 'HPUB'].includes(verb.toUpperCase());
    const length = end + LINE_END.length + (isMessage ? Number(more.at(-1)) + LINE_END.length : 0);
    if (this.rest.length < length) return undefined;
    const bytes = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return { bytes, subject: isMessage ? subject : null };
  }
}
