import { type SpellingTree } from './spelling-tree.js';

const MASK = Buffer.from('***');

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
 * and no more, is kept in memory.
 */
export class MaskStream {
  private plainNode = 0;
  private unbrokenNode = 0;
  /** Positions of the last bytes that were no line breaks, by their number. */
  private readonly places: Float64Array;
  private counted = 0;
  private position = 0;
  /** What is not given out yet: bytes from `settled` to `position`. */
  private held: Buffer = Buffer.alloc(0);
  private settled = 0;
  private regions: Region[] = [];
  private found = false;

  constructor(
    private readonly plain: SpellingTree,
    private readonly unbroken: SpellingTree,
  ) {
    this.places = new Float64Array(Math.max(1, unbroken.longest));
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
      if (this.plainNode === 0 && this.unbrokenNode === 0 && !plain.begins(byte) && !unbroken.begins(byte)) continue;
      const end = this.position + at + 1;
      this.plainNode = plain.next(this.plainNode, byte);
      const found = plain.foundAt(this.plainNode);
      if (found > 0) this.cover(end - found, end);
      if (byte !== 10 && byte !== 13) this.lookUnbroken(byte, end);
    }
  }

  private lookUnbroken(byte: number, end: number): void {
    this.places[this.counted++ % this.places.length] = end - 1;
    this.unbrokenNode = this.unbroken.next(this.unbrokenNode, byte);
    const found = this.unbroken.foundAt(this.unbrokenNode);
    if (found > 0) this.cover(this.placeOf(found), end);
  }

  /** Where the last `count` bytes that are no line breaks begin. */
  private placeOf(count: number): number {
    return this.places[(this.counted - count) % this.places.length] ?? 0;
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

  /** Nothing that is yet to be found begins before this position. */
  private certain(): number {
    const depth = this.unbroken.depthOf(this.unbrokenNode);
    const plainFrom = this.position - this.plain.depthOf(this.plainNode);
    return depth === 0 ? plainFrom : Math.min(plainFrom, this.placeOf(depth));
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
