import { HEAD_BYTES, type SpellingTree } from './spelling-tree.js';

/**
 * Number of long strings that are compared at the same time: enough for a line of one repeated character. There are more only
 * if strings repeat themselves. Then the remaining length of the longest of them is masked without comparison.
 */
const MAX_FOLLOWERS = 128;

/** Sorted long strings that may begin at `start`: those from `low` to `high` match the input so far. */
interface Follower {
  start: number;
  strings: readonly Uint8Array[];
  low: number;
  high: number;
  /** Number of bytes that match. */
  matched: number;
}

/** Reports an occurrence from `start` to `end`. */
export type Cover = (start: number, end: number) => void;

/** Finds the strings of one tree in a stream of bytes, and the start of unfinished matches. */
export class SpellingMatcher {
  private node = 0;
  private followers: Follower[] = [];
  /** Number of further bytes to mask without comparison. */
  private blindBytes = 0;
  /** Stream positions of the last bytes, by their number, because the matcher does not get every byte of the stream. */
  private readonly positions = new Float64Array(HEAD_BYTES);
  private counted = 0;
  private last = 0;

  constructor(
    private readonly tree: SpellingTree,
    private readonly cover: Cover,
  ) {}

  /** Whether no match has begun. */
  get isIdle(): boolean {
    return this.node === 0 && this.followers.length === 0 && this.blindBytes === 0;
  }

  begins(byte: number): boolean {
    return this.tree.begins(byte);
  }

  /** Matches one byte. @param position of the byte in the stream */
  push(byte: number, position: number): void {
    const { tree } = this;
    this.positions[this.counted++ % HEAD_BYTES] = position;
    this.node = tree.next(this.node, byte);
    const found = tree.foundAt(this.node);
    if (found > 0) this.cover(this.positionOf(found), position + 1);
    if (this.followers.length > 0) this.follow(byte, position);
    if (this.blindBytes > 0) this.coverBlindly(position);
    const strings = tree.longAt(this.node);
    if (strings.length > 0) this.begin(strings, position);
    this.last = position;
  }

  /** Abandons all unfinished matches. */
  reset(): void {
    this.node = 0;
    this.followers = [];
    this.blindBytes = 0;
  }

  /** No further occurrence begins before the returned position. */
  findDecidedEnd(position: number): number {
    let start = this.blindBytes > 0 ? this.last : position;
    const depth = this.tree.depthOf(this.node);
    if (depth > 0) start = Math.min(start, this.positionOf(depth));
    for (const follower of this.followers) start = Math.min(start, follower.start);
    return start;
  }

  private follow(byte: number, position: number): void {
    this.followers = this.followers.filter((follower) => {
      narrow(follower, byte);
      const { strings, low, high, matched, start } = follower;
      // The shortest is the first, and strings are unique.
      if (low < high && strings[low]!.length === matched) {
        this.cover(start, position + 1);
        follower.low++;
      }
      return follower.low < high;
    });
  }

  /** Covers from the byte before, which is masked, so that both become one range. */
  private coverBlindly(position: number): void {
    this.cover(this.last, position + 1);
    this.blindBytes--;
  }

  private begin(strings: readonly Uint8Array[], position: number): void {
    const start = this.positionOf(HEAD_BYTES);
    this.followers.push({ start, strings, low: 0, high: strings.length, matched: HEAD_BYTES });
    if (this.blindBytes > 0 || this.followers.length > MAX_FOLLOWERS) this.startBlindMasking(position);
  }

  private startBlindMasking(position: number): void {
    for (const { start, strings, low, high, matched } of this.followers) {
      this.cover(start, position + 1);
      for (let at = low; at < high; at++) this.blindBytes = Math.max(this.blindBytes, strings[at]!.length - matched);
    }
    this.followers = [];
  }

  /** Position at which the last `count` bytes begin. */
  private positionOf(count: number): number {
    return this.positions[(this.counted - count) % HEAD_BYTES] ?? 0;
  }
}

/** Narrows the candidates by one byte. Usually all or none continue with it, which the first and the last one show. */
function narrow(follower: Follower, byte: number): void {
  const { strings, matched } = follower;
  const byteOf = (at: number) => strings[at]![matched]!;
  if (byteOf(follower.low) < byte) follower.low = firstFrom(follower, byte, byteOf);
  if (follower.low < follower.high && byteOf(follower.high - 1) > byte)
    follower.high = firstFrom(follower, byte + 1, byteOf);
  if (follower.low < follower.high && byteOf(follower.low) !== byte) follower.low = follower.high;
  follower.matched++;
}

/** The first string whose byte is not below this one. */
function firstFrom({ low, high }: Follower, byte: number, byteOf: (at: number) => number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (byteOf(middle) < byte) from = middle + 1;
    else to = middle;
  }
  return from;
}
