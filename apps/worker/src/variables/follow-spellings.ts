import { HEAD_BYTES, type SpellingTree } from './spelling-tree.js';

/**
 * Beginnings of long strings that are compared at the same time, or four times as many as begin alike. More there are only
 * where a string repeats itself: then so much is masked as the longest of them has left, whatever comes.
 */
const MOST = 64;

interface Follower {
  start: number;
  string: Uint8Array;
  /** Bytes of the string that have come. */
  come: number;
}

/** Tells that something was found from `start` to `end`. */
export type Cover = (start: number, end: number) => void;

/** Finds strings of one tree in bytes that come one by one, and knows where unfinished ones begin. */
export class FollowSpellings {
  private node = 0;
  private followers: Follower[] = [];
  /** Bytes that are masked unseen. */
  private unseen = 0;
  /** Positions of the last bytes, by their number: not each byte of the stream comes here. */
  private readonly places = new Float64Array(HEAD_BYTES);
  private counted = 0;
  private last = 0;
  private readonly most: number;

  constructor(
    private readonly tree: SpellingTree,
    private readonly cover: Cover,
  ) {
    this.most = Math.max(MOST, 4 * tree.crowd);
  }

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
    for (const string of tree.longAt(this.node)) this.begin(string, position);
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
    const alive: Follower[] = [];
    for (const follower of this.followers) {
      if (follower.string[follower.come++] !== byte) continue;
      if (follower.come === follower.string.length) this.cover(follower.start, position + 1);
      else alive.push(follower);
    }
    this.followers = alive;
  }

  /** From the byte before, which is masked, so that it is one stretch. */
  private coverUnseen(position: number): void {
    this.cover(this.last, position + 1);
    this.unseen--;
  }

  private begin(string: Uint8Array, position: number): void {
    const follower = { start: this.placeOf(HEAD_BYTES), string, come: HEAD_BYTES };
    if (this.unseen === 0 && this.followers.length < this.most) this.followers.push(follower);
    else this.maskUnseen([...this.followers, follower], position);
  }

  private maskUnseen(followers: readonly Follower[], position: number): void {
    for (const { start, string, come } of followers) {
      this.cover(start, position + 1);
      this.unseen = Math.max(this.unseen, string.length - come);
    }
    this.followers = [];
  }

  /** Where the last `count` bytes that came begin. */
  private placeOf(count: number): number {
    return this.places[(this.counted - count) % HEAD_BYTES] ?? 0;
  }
}
