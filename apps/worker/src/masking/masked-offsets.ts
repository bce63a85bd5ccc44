import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type MaskStream } from './mask-stream.js';
import { type ReadRaw } from './masked-log.js';
import { type Masker } from './masker.js';
import { OffsetTranslator } from './offset-translator.js';

/** Offsets in a growing log, and those in its masked text. The first call masks the log, later ones the new part. */
export class MaskedOffsets {
  private readonly translator = new OffsetTranslator();
  private readonly stream: MaskStream;
  private read = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    masker: Masker,
    private readonly readRaw: ReadRaw,
  ) {
    this.stream = masker.stream(this.translator);
  }

  /** @param offsets in increasing order @param maxMs after which further offsets are left for the next call */
  translate(offsets: readonly number[], maxMs: number): Promise<void> {
    const deadline = performance.now() + maxMs;
    this.last = this.last.then(() => this.advance(offsets, deadline));
    return this.last;
  }

  /** An offset that is not known yet is at least the end of what is masked. */
  find = (offset: number): number => this.translator.find(offset) ?? this.translator.length;

  private async advance(offsets: readonly number[], deadline: number): Promise<void> {
    for (const offset of offsets) this.translator.add(offset);
    const end = offsets.at(-1) ?? 0;
    while (this.read < end && performance.now() < deadline) {
      const chunk = this.readRaw(this.read).subarray(0, end - this.read);
      if (chunk.length === 0) return;
      this.read += chunk.length;
      this.stream.push(chunk);
      await yieldToEventLoop();
    }
  }
}
