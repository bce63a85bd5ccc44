const CHUNK_BITS = 20;
const CHUNK_SIZE = 2 ** CHUNK_BITS;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** More of a log is not kept in the browser. */
export const MAX_LOG_BYTES = 768 * 1024 * 1024;

export interface LogLine {
  text: string;
  /** Bytes of the line that `text` lacks. */
  cutBytes: number;
}

/**
 * A log of millions of lines outside of React: its bytes in chunks of 1 MiB, and the place where each line begins. A line becomes
 * a text only when it is shown. Appending costs a copy and a search for line breaks.
 */
export class LogBuffer {
  /** Increases with every change. */
  version = 0;
  /** Whether nothing follows. */
  isComplete = false;
  error: unknown;
  /** Bytes that were received, also those that are not kept. */
  received = 0;
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private starts = new Uint32Array(1024);
  private startCount = 1;
  private readonly decoder = new TextDecoder();
  private readonly listeners = new Set<() => void>();

  /** Number of bytes that are kept. */
  get byteCount(): number {
    return this.size;
  }

  get isCut(): boolean {
    return this.received > this.size;
  }

  /** An empty line after the last line break does not count. */
  get lineCount(): number {
    return this.startOf(this.startCount - 1) < this.size ? this.startCount : this.startCount - 1;
  }

  append(bytes: Uint8Array): void {
    this.received += bytes.length;
    const kept = bytes.subarray(0, Math.max(0, MAX_LOG_BYTES - this.size));
    this.indexLines(kept);
    for (let from = 0; from < kept.length;) {
      const offset = this.size & (CHUNK_SIZE - 1);
      if (offset === 0) this.chunks.push(new Uint8Array(CHUNK_SIZE));
      const part = kept.subarray(from, from + CHUNK_SIZE - offset);
      this.chunks.at(-1)?.set(part, offset);
      this.size += part.length;
      from += part.length;
    }
    this.version += 1;
  }

  complete(error?: unknown): void {
    this.isComplete = true;
    this.error = error;
    this.version += 1;
  }

  /** The byte at which a line begins. */
  startOf(line: number): number {
    return line < this.startCount ? (this.starts[line] ?? 0) : this.size;
  }

  /** @param line from 0 */
  getLine(line: number, maxBytes: number): LogLine {
    const start = this.startOf(line);
    const next = start + this.sizeOf(line);
    const end = Math.min(next, start + maxBytes);
    return { text: this.decoder.decode(this.read(start, end)), cutBytes: Math.max(0, next - end) };
  }

  /**
   * A line as a terminal shows it at last: a progress bar writes its line again and again after a carriage return. If the last
   * writing is near the end of a long line, only that is the text.
   */
  getShownLine(line: number, maxBytes: number): LogLine {
    const shown = this.getLine(line, maxBytes);
    if (shown.cutBytes === 0) return shown;
    const end = this.startOf(line) + this.sizeOf(line);
    const tail = this.read(end - maxBytes, end);
    let last = tail.length;
    while (last > 0 && tail[last - 1] === CARRIAGE_RETURN) last--;
    const rewritten = tail.lastIndexOf(CARRIAGE_RETURN, last - 1);
    return rewritten === -1 || last === 0
      ? shown
      : { text: this.decoder.decode(tail.subarray(rewritten + 1, last)), cutBytes: 0 };
  }

  /** Bytes of a line without its line break. */
  private sizeOf(line: number): number {
    const next = line + 1 < this.startCount ? this.startOf(line + 1) - 1 : this.size;
    return next - this.startOf(line);
  }

  /** Bytes of the log. They are shared with the buffer if they are in one chunk. */
  read(start: number, end: number): Uint8Array {
    const first = start >> CHUNK_BITS;
    const chunk = this.chunks[first];
    if (!chunk || end <= start) return new Uint8Array();
    const offset = start & (CHUNK_SIZE - 1);
    if (end - start <= CHUNK_SIZE - offset) return chunk.subarray(offset, offset + end - start);
    const bytes = new Uint8Array(end - start);
    for (let from = start; from < end;) {
      const part = this.read(from, Math.min(end, ((from >> CHUNK_BITS) + 1) << CHUNK_BITS));
      bytes.set(part, from - start);
      from += part.length;
    }
    return bytes;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  publish(): void {
    for (const listener of this.listeners) listener();
  }

  /** O(bytes), by the engine's own search. */
  private indexLines(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (this.startCount === this.starts.length) {
        const larger = new Uint32Array(this.starts.length * 2);
        larger.set(this.starts);
        this.starts = larger;
      }
      this.starts[this.startCount] = this.size + at + 1;
      this.startCount += 1;
    }
  }
}
