import { CRLF, PendingBytes } from './pending-bytes.js';

/** A message of the client protocol of NATS (docs.nats.io, "Client Protocol"), with the bytes that it consists of. */
export type ClientFrame =
  | { kind: 'publish'; subject: string; reply: string | null; payload: Buffer; bytes: Buffer }
  | { kind: 'subscribe'; subject: string; id: string; bytes: Buffer }
  | { kind: 'connect'; options: Record<string, unknown>; bytes: Buffer }
  | { kind: 'other'; bytes: Buffer };

/** A message that no client of NATS sends. The connection has no meaning after it. */
export class BadFrameError extends Error {}

/** The first line of a message is short; only CONNECT and subjects of 1 KiB at most need more than a few bytes. */
const MAX_LINE_BYTES = 8 * 1024;

/** Splits what a client of NATS sends into its messages. */
export class ClientFrames {
  private readonly pending = new PendingBytes();
  /** Number of bytes with which the first message is complete, if its first line has arrived. */
  private needed = 0;

  constructor(private readonly maxPayloadBytes: number) {}

  add(chunk: Buffer): void {
    this.pending.append(chunk);
  }

  /**
   * @returns the next message that is complete; null if there is none yet
   * @throws BadFrameError
   */
  next(): ClientFrame | null {
    if (this.pending.length < this.needed) return null;
    this.needed = 0;
    const end = this.pending.findLineEnd(MAX_LINE_BYTES);
    if (end === null && this.pending.length > MAX_LINE_BYTES)
      throw new BadFrameError('The first line of a message is too long');
    if (end === null) return null;
    const line = this.pending.read(end).toString('latin1');
    // NATS also ends a line at a single LF, so a second message could be hidden behind one.
    if (/[\r\n]/.test(line)) throw new BadFrameError('A line does not end with CR LF');
    const [verb = '', ...words] = line.split(/[ \t]+/);
    const head = end + CRLF.length;
    switch (verb.toUpperCase()) {
      case 'PUB':
        return this.takePublish(head, words, { min: 2, headers: false });
      case 'HPUB':
        return this.takePublish(head, words, { min: 3, headers: true });
      case 'SUB':
        if (words.length < 2 || words.length > 3) throw new BadFrameError('SUB has a subject, a queue group and an id');
        return { kind: 'subscribe', subject: words[0] ?? '', id: words.at(-1) ?? '', bytes: this.pending.take(head) };
      case 'CONNECT':
        return { kind: 'connect', options: parseOptions(line.slice(verb.length)), bytes: this.pending.take(head) };
      case 'PING':
      case 'PONG':
      case 'UNSUB':
        return { kind: 'other', bytes: this.pending.take(head) };
      default:
        throw new BadFrameError(`Clients of NATS send no ${verb.slice(0, 20)}`);
    }
  }

  private takePublish(
    head: number,
    words: string[],
    { min, headers }: { min: number; headers: boolean },
  ): ClientFrame | null {
    if (words.length < min || words.length > min + 1)
      throw new BadFrameError('PUB has a subject, a reply subject and a size');
    const [headerBytes, bodyBytes] = [headers ? toSize(words.at(-2)) : 0, toSize(words.at(-1))];
    if (bodyBytes > this.maxPayloadBytes || headerBytes > bodyBytes) throw new BadFrameError('A message is too large');
    const total = head + bodyBytes + CRLF.length;
    if (this.pending.length < total) {
      this.needed = total;
      return null;
    }
    const bytes = this.pending.take(total);
    if (!bytes.subarray(-CRLF.length).equals(CRLF)) throw new BadFrameError('A message does not end with CR LF');
    const payload = bytes.subarray(head + headerBytes, head + bodyBytes);
    const reply = words.length > min ? (words[1] ?? null) : null;
    return { kind: 'publish', subject: words[0] ?? '', reply, payload, bytes };
  }
}

function toSize(word = ''): number {
  if (!/^\d{1,9}$/.test(word)) throw new BadFrameError('The size of a message is not a number');
  return Number(word);
}

function parseOptions(text: string): Record<string, unknown> {
  const options = parseJson(text);
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new BadFrameError('The options of CONNECT must be a JSON object');
  return options as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
