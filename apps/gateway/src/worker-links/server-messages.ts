const LF = 0x0a;
/** INFO is the longest line; it may list the servers of a cluster. */
const MAX_LINE_BYTES = 64 * 1024;

/** A part of what a NATS server sends. */
export interface ServerPart {
  /** Where the last message ends that is complete; null if none ends in this part. */
  end: number | null;
  /** Subjects of the messages that begin in this part. */
  subjects: string[];
}

/** Finds where the messages of a NATS server end, without copying them (docs.nats.io, "Client Protocol"). */
export class ServerMessages {
  /** Beginning of a line whose end has not arrived. */
  private line = '';
  /** Bytes of a payload that have not arrived. */
  private missingBytes = 0;

  /** @throws Error if a line has no end */
  push(chunk: Buffer): ServerPart {
    const part: ServerPart = { end: null, subjects: [] };
    for (let at = 0; at < chunk.length;) {
      if (this.missingBytes > 0) {
        const arrived = Math.min(this.missingBytes, chunk.length - at);
        this.missingBytes -= arrived;
        at += arrived;
      } else at = this.readLine(chunk, at, part.subjects);
      if (this.missingBytes === 0 && this.line === '') part.end = at;
    }
    return part;
  }

  private readLine(chunk: Buffer, start: number, subjects: string[]): number {
    const end = chunk.indexOf(LF, start);
    this.line += chunk.toString('latin1', start, end < 0 ? chunk.length : end);
    if (this.line.length > MAX_LINE_BYTES) throw new Error('NATS sends a line that is too long');
    if (end < 0) return chunk.length;
    const [verb = '', subject = '', ...words] = this.line.trimEnd().split(/[ \t]+/);
    this.line = '';
    if (/^H?MSG$/i.test(verb)) {
      subjects.push(subject);
      this.missingBytes = Number(words.at(-1)) + '\r\n'.length;
    }
    return end + 1;
  }
}
