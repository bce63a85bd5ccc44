import { SpellingMatcher } from './spelling-matcher.js';
import { type SpellingTree } from './spelling-tree.js';

const MASK = Buffer.from('***');
/** In a row within an encoding: CRLF and an indentation. More end it; so what is kept in memory is bounded. */
const MAX_BLANKS = 3;

/** A stretch in which something was found; positions count the bytes that came in. */
interface Region {
  start: number;
  end: number;
  /** Whether its mask has been given out. */
  shown: boolean;
}

/**
 * Puts `***` in the place of every occurrence in a stream of bytes; all else stays as it is. What comes out does not depend
 * on how the bytes came in. Of what may be the beginning of an occurrence nothing is given out before it is certain; that,
 * and no more, is kept in memory: four times the longest spelling at most.
 */
export class MaskStream {
  private readonly plain: SpellingMatcher;
  private readonly unbroken: SpellingMatcher;
  /** Blanks and line breaks since the last other byte. */
  private blanks = 0;
  private position = 0;
  /** What is not given out yet: bytes from `settled` to `position`. */
  private held: Buffer = Buffer.alloc(0);
  private settled = 0;
  private regions: Region[] = [];
  private found = false;

  constructor(plain: SpellingTree, unbroken: SpellingTree) {
    const cover = (start: number, end: number) => this.cover(start, end);
    this.plain = new SpellingMatcher(plain, cover);
    this.unbroken = new SpellingMatcher(unbroken, cover);
  }

  /** @returns what is certain by now */
  push(chunk: Uint8Array): Buffer {
    this.look(chunk);
    this.held = this.held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.held, chunk]);
    this.position += chunk.length;
    return this.giveOut(this.certain());
  }

  /** The rest. Where the stream was `cut`, what may be the beginning of an occurrence is left out. */
  end(cut = false): Buffer {
    return this.giveOut(cut ? this.certain() : this.position);
  }

  private look(chunk: Uint8Array): void {
    const { plain, unbroken } = this;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!plain.isIdle || plain.begins(byte)) plain.take(byte, this.position + at);
      if (byte === 10 || byte === 13 || byte === 32) this.passBlank();
      else {
        this.blanks = 0;
        if (!unbroken.isIdle || unbroken.begins(byte)) unbroken.take(byte, this.position + at);
      }
    }
  }

  private passBlank(): void {
    if (++this.blanks > MAX_BLANKS) this.unbroken.reset();
  }

  /** Whether anything was masked so far. */
  get hasFound(): boolean {
    return this.found;
  }

  /** Adds an occurrence; those that overlap become one. */
  private cover(start: number, end: number): void {
    this.found = true;
    const region = { start, end, shown: false };
    for (let last = this.regions.at(-1); last && last.end > region.start; last = this.regions.at(-1)) {
      region.start = Math.min(region.start, last.start);
      region.shown ||= last.shown;
      this.regions.pop();
    }
    this.regions.push(region);
  }

  private certain(): number {
    return Math.min(this.plain.certain(this.position), this.unbroken.certain(this.position));
  }

  private giveOut(until: number): Buffer {
    const parts: Buffer[] = [];
    let at = this.settled;
    const upTo = (end: number) => parts.push(this.held.subarray(at - this.settled, end - this.settled));
    for (const region of this.regions.filter(({ start }) => start < until)) {
      if (!region.shown) {
        upTo(region.start);
        parts.push(MASK);
        region.shown = true;
      }
      at = Math.min(region.end, until);
    }
    upTo(until);
    this.held = this.held.subarray(until - this.settled);
    this.settled = until;
    this.regions = this.regions.filter(({ end }) => end > until);
    return Buffer.concat(parts);
  }
}
