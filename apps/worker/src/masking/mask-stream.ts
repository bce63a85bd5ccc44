import { type OffsetTranslator } from './offset-translator.js';
import { SpellingMatcher } from './spelling-matcher.js';
import { type SpellingTree } from './spelling-tree.js';

const MASK = Buffer.from('***');
/** Consecutive blanks within an encoding: CRLF and an indentation. More end the encoding, which limits the memory. */
const MAX_CONSECUTIVE_BLANKS = 3;

/** A range in which secrets were found; positions count the bytes of the input. */
interface Region {
  start: number;
  end: number;
  /** Whether its mask has been emitted. */
  isEmitted: boolean;
}

/**
 * Replaces every occurrence in a stream of bytes by `***`; other bytes are unmodified. The output does not depend on how the
 * input is divided into chunks. Bytes that may begin an occurrence are emitted only when that is decided. Only they are in
 * memory: at most four times the longest spelling.
 */
export class MaskStream {
  private readonly plain: SpellingMatcher;
  private readonly unbroken: SpellingMatcher;
  /** Blanks and line breaks since the last other byte. */
  private blanks = 0;
  private position = 0;
  /** Bytes that are not emitted yet, from `settled` to `position`. */
  private pending: Buffer = Buffer.alloc(0);
  private settled = 0;
  private regions: Region[] = [];
  private found = false;

  /** @param translator gets the place of everything that is emitted */
  constructor(
    plain: SpellingTree,
    unbroken: SpellingTree,
    private readonly translator: OffsetTranslator | null = null,
  ) {
    const cover = (start: number, end: number) => this.cover(start, end);
    this.plain = new SpellingMatcher(plain, cover);
    this.unbroken = new SpellingMatcher(unbroken, cover);
  }

  /** @returns the bytes that are decided */
  push(chunk: Uint8Array): Buffer {
    this.match(chunk);
    this.pending = this.pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.pending, chunk]);
    this.position += chunk.length;
    return this.emit(this.findDecidedEnd());
  }

  /** The rest. If the stream was `cut`, the possible beginning of an occurrence at its end is left out. */
  end(cut = false): Buffer {
    return this.emit(cut ? this.findDecidedEnd() : this.position);
  }

  private match(chunk: Uint8Array): void {
    const { plain, unbroken } = this;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!plain.isIdle || plain.begins(byte)) plain.push(byte, this.position + at);
      if (byte === 10 || byte === 13 || byte === 32) this.passBlank();
      else {
        this.blanks = 0;
        if (!unbroken.isIdle || unbroken.begins(byte)) unbroken.push(byte, this.position + at);
      }
    }
  }

  private passBlank(): void {
    if (++this.blanks > MAX_CONSECUTIVE_BLANKS) this.unbroken.reset();
  }

  /** Whether an occurrence has been found. */
  get hasFound(): boolean {
    return this.found;
  }

  /** Adds an occurrence. Overlapping ones become one. */
  private cover(start: number, end: number): void {
    this.found = true;
    const region = { start, end, isEmitted: false };
    for (let last = this.regions.at(-1); last && last.end > region.start; last = this.regions.at(-1)) {
      region.start = Math.min(region.start, last.start);
      region.isEmitted ||= last.isEmitted;
      this.regions.pop();
    }
    this.regions.push(region);
  }

  private findDecidedEnd(): number {
    return Math.min(this.plain.findDecidedEnd(this.position), this.unbroken.findDecidedEnd(this.position));
  }

  private emit(until: number): Buffer {
    const parts: Buffer[] = [];
    let at = this.settled;
    const emitUpTo = (end: number) => {
      if (end <= at) return;
      parts.push(this.pending.subarray(at - this.settled, end - this.settled));
      this.translator?.pass(end, end - at);
    };
    for (const region of this.regions.filter(({ start }) => start < until)) {
      const end = Math.min(region.end, until);
      if (!region.isEmitted) {
        emitUpTo(region.start);
        parts.push(MASK);
      }
      this.translator?.pass(end, region.isEmitted ? 0 : MASK.length);
      region.isEmitted = true;
      at = end;
    }
    emitUpTo(until);
    this.pending = this.pending.subarray(until - this.settled);
    this.settled = until;
    this.regions = this.regions.filter(({ end }) => end > until);
    return Buffer.concat(parts);
  }
}
