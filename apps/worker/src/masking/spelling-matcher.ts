import { HEAD_BYTES, type SpellingTree } from './spelling-tree.js';

/**
 * Beginnings of long strings that are compared at the same time: as many as a line of one character has. More there are only
 * where strings repeat themselves: then so much is masked as the longest of them has left, whatever comes.
 */
const MAX_FOLLOWERS = 128;

/** Long strings that began at the same place: those from `low` to `high` are as what came, in the order of their bytes. */
interface Follower {
  start: number;
  strings: readonly Uint8Array[];
  low: number;
  high: number;
  /** Bytes of them that have come. */
  come: number;
}

/** Tells that something was found from `start` to `end`. */
export type Cover = (start: number, end: number) => void;

/** Finds strings of one tree in bytes that come one by one, and knows where unfinished ones begin. */
export class SpellingMatcher {
  private node = 0;
  private followers: Follower[] = [];
  /** Bytes that are masked unseen. */
  private unseen = 0;
  /** Positions of the last bytes, by their number: not each byte of the stream comes here. */
  private readonly places = new Float64Array(HEAD_BYTES);
  private counted = 0;
  private last = 0;

  constructor(
    private readonly tree: SpellingTree,
    private readonly cover: Cover,
  ) {}

  /** Whether nothing has begun. */
  get isIdle(): boolean {
    return this.node === 0 && this.followers.length === 0 && this.unseen === 0;
  }

  begins(byte: number): boolean {
    return this.tree.begins(byte);
  }

  /** @param position of the byte in the stream */
  take(byte: number, position: number): void {
    const { tree } = this;
    this.places[this.counted++ % HEAD_BYTES] = position;
    this.node = tree.next(this.node, byte);
    const found = tree.foundAt(this.node);
    if (found > 0) this.cover(this.placeOf(found), position + 1);
    if (this.followers.length > 0) this.follow(byte, position);
    if (this.unseen > 0) this.coverUnseen(position);
    const strings = tree.longAt(this.node);
    if (strings.length > 0) this.begin(strings, position);
    this.last = position;
  }

  /** What has begun will not go on. */
  reset(): void {
    this.node = 0;
    this.followers = [];
    this.unseen = 0;
  }

  /** Nothing that is yet to be found begins before this position. */
  certain(position: number): number {
    let start = this.unseen > 0 ? this.last : position;
    const depth = this.tree.depthOf(this.node);
    if (depth > 0) start = Math.min(start, this.placeOf(depth));
    for (const follower of this.followers) start = Math.min(start, follower.start);
    return start;
  }

  private follow(byte: number, position: number): void {
    this.followers = this.followers.filter((follower) => {
      narrow(follower, byte);
      const { strings, low, high, come, start } = follower;
      // The shortest comes first, and there is no other one of its bytes.
      if (low < high && strings[low]!.length === come) {
        this.cover(start, position + 1);
        follower.low++;
      }
      return follower.low < high;
    });
  }

  /** From the byte before, which is masked, so that it is one stretch. */
  private coverUnseen(position: number): void {
    this.cover(this.last, position + 1);
    this.unseen--;
  }

  private begin(strings: readonly Uint8Array[], position: number): void {
    const start = this.placeOf(HEAD_BYTES);
    this.followers.push({ start, strings, low: 0, high: strings.length, come: HEAD_BYTES });
    if (this.unseen > 0 || this.followers.length > MAX_FOLLOWERS) this.maskUnseen(position);
  }

  private maskUnseen(position: number): void {
    for (const { start, strings, low, high, come } of this.followers) {
      this.cover(start, position + 1);
      for (let at = low; at < high; at++) this.unseen = Math.max(this.unseen, strings[at]!.length - come);
    }
    this.followers = [];
  }

  /** Where the last `count` bytes that came begin. */
  private placeOf(count: number): number {
    return this.places[(this.counted - count) % HEAD_BYTES] ?? 0;
  }
}

/** One more byte has come. Most often all strings go on with it, or none: the first and the last tell. */
function narrow(follower: Follower, byte: number): void {
  const { strings, come } = follower;
  const byteOf = (at: number) => strings[at]![come]!;
  if (byteOf(follower.low) < byte) follower.low = firstFrom(follower, byte, byteOf);
  if (follower.low < follower.high && byteOf(follower.high - 1) > byte)
    follower.high = firstFrom(follower, byte + 1, byteOf);
  if (follower.low < follower.high && byteOf(follower.low) !== byte) follower.low = follower.high;
  follower.come++;
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
