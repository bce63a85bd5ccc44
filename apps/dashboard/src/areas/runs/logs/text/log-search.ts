import type { LogBuffer } from './log-buffer.js';

/** Bytes that one turn searches, about 15 ms. */
export const SLICE_BYTES = 2 * 1024 * 1024;

/** Lower case of the letters A to Z; all other bytes stay, so that no part of a character changes. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** One character for each byte, so that places in the text are places in the bytes. */
const decoder = new TextDecoder('latin1');

const toKey = (bytes: Uint8Array): string => decoder.decode(bytes.map((byte) => LOWER[byte] ?? byte));

/**
 * The lines of a log that contain a text, ignoring the case of A to Z. It searches slice by slice, so that a log of hundreds of
 * megabytes does not block the page, and goes on where it stopped when the log grows.
 */
export class LogSearch {
  private readonly key: string;
  private lines = new Uint32Array(256);
  private found = 0;
  private searchedBytes = 0;
  private lastLine = 0;

  constructor(
    private readonly buffer: LogBuffer,
    readonly text: string,
  ) {
    this.key = toKey(new TextEncoder().encode(text));
  }

  /** Number of lines found so far. */
  get count(): number {
    return this.found;
  }

  get isDone(): boolean {
    return this.key === '' || this.searchedBytes >= this.buffer.byteCount;
  }

  /** The line of a match. @param place from 0 */
  lineAt(place: number): number | undefined {
    return place >= 0 && place < this.found ? this.lines[place] : undefined;
  }

  /** The place of the first match at or after a line; `count` if there is none. O(log n). */
  placeOf(line: number): number {
    let low = 0;
    let high = this.found;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.lines[middle] ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Searches one slice. Call it until `isDone`. */
  searchSlice(): void {
    if (this.isDone) return;
    const { buffer, key } = this;
    // A match may have begun in the slice before.
    const start = Math.max(0, this.searchedBytes - key.length + 1);
    const end = Math.min(buffer.byteCount, start + SLICE_BYTES);
    const text = toKey(buffer.read(start, end));
    for (let at = text.indexOf(key); at >= 0;) {
      const line = this.findLine(start + at);
      this.add(line);
      // Each line counts once.
      at = text.indexOf(key, Math.max(at + 1, buffer.startOf(line + 1) - start));
    }
    this.searchedBytes = end;
  }

  private add(line: number): void {
    // A slice begins with the end of the one before.
    if (this.found > 0 && (this.lines[this.found - 1] ?? 0) >= line) return;
    if (this.found === this.lines.length) {
      const larger = new Uint32Array(this.found * 2);
      larger.set(this.lines);
      this.lines = larger;
    }
    this.lines[this.found] = line;
    this.found += 1;
  }

  /** The line of a byte. Bytes increase, so it goes on from the last line, in growing steps. */
  private findLine(byte: number): number {
    const { buffer } = this;
    let low = buffer.startOf(this.lastLine) <= byte ? this.lastLine : 0;
    let step = 1;
    while (low + step < buffer.lineCount && buffer.startOf(low + step) <= byte) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, buffer.lineCount);
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (buffer.startOf(middle) <= byte) low = middle;
      else high = middle;
    }
    this.lastLine = low;
    return low;
  }
}
