/** Translates offsets in a log into offsets in its masked text, while the log is masked. */
export class OffsetTranslator {
  private read = 0;
  private written = 0;
  private readonly pending: number[];
  private readonly translated = new Map<number, number>();

  /** @param offsets in increasing order */
  constructor(offsets: Iterable<number> = []) {
    this.pending = [...offsets];
  }

  /** Bytes of the log that are masked. */
  get position(): number {
    return this.read;
  }

  /** Masked bytes that they have become. */
  get length(): number {
    return this.written;
  }

  /** Adds an offset behind those before. One that was passed already is not translated. */
  add(offset: number): void {
    if (offset > this.read && offset > (this.pending.at(-1) ?? 0)) this.pending.push(offset);
  }

  /** The next bytes of the log, up to `end`, have become `length` masked bytes. */
  pass(end: number, length: number): void {
    for (let first = this.pending[0]; first !== undefined && first <= end; first = this.pending[0]) {
      this.translated.set(first, this.written + Math.min(length, first - this.read));
      this.pending.shift();
    }
    this.written += length;
    this.read = Math.max(this.read, end);
  }

  /** Undefined as long as it is not decided. */
  find(offset: number): number | undefined {
    return this.translated.get(offset);
  }
}
