const ROOT = 0;
/** Only this many bytes of a longer string are in the tree. The rest is compared after they are found. */
export const HEAD_BYTES = 16;
const NONE: readonly Uint8Array[] = [];
/** Initial capacity. */
const INITIAL_NODES = 1024;

/**
 * Finds all occurrences of many byte strings (Aho and Corasick, 1975). It reads every byte once, independent of the number of
 * strings. It uses 21 bytes of memory for each of the first `HEAD_BYTES` bytes of a string, and one for each further byte.
 */
export class SpellingTree {
  private byte = new Uint8Array(INITIAL_NODES);
  private child = new Int32Array(INITIAL_NODES);
  private sibling = new Int32Array(INITIAL_NODES);
  private fail = new Int32Array(INITIAL_NODES);
  private depth = new Int32Array(INITIAL_NODES);
  /** Length of the longest string that ends at the node; 0 if none does. */
  private found = new Int32Array(INITIAL_NODES);
  private readonly first = new Int32Array(256);
  /** Longer strings, by the node of their first bytes. No other node falls back on these nodes, because they are the deepest. */
  private readonly long = new Map<number, Uint8Array[]>();
  private longBytes = 0;
  private maxLength = 0;
  /** Number of nodes. */
  size = 1;

  /** Length of the longest string, in bytes. */
  get maxBytes(): number {
    return this.maxLength;
  }

  /** Memory in use. */
  get bytes(): number {
    return 21 * this.byte.length + this.longBytes;
  }

  add(string: Uint8Array): void {
    let node = ROOT;
    for (const byte of string.subarray(0, HEAD_BYTES)) node = this.childOf(node, byte) || this.grow(node, byte);
    this.maxLength = Math.max(this.maxLength, string.length);
    if (string.length <= HEAD_BYTES) this.found[node] = string.length;
    else this.addLong(node, string);
  }

  /** Whether a string begins with this byte. */
  begins(byte: number): boolean {
    return this.first[byte] !== ROOT;
  }

  next(node: number, byte: number): number {
    for (let at = node; at !== ROOT; at = this.fail[at]!) {
      const child = this.childOf(at, byte);
      if (child !== ROOT) return child;
    }
    return this.first[byte]!;
  }

  /** Number of last bytes that may be the beginning of a string. */
  depthOf(node: number): number {
    return this.depth[node]!;
  }

  foundAt(node: number): number {
    return this.found[node]!;
  }

  private childOf(node: number, byte: number): number {
    if (node === ROOT) return this.first[byte]!;
    let child = this.child[node]!;
    while (child !== ROOT && this.byte[child] !== byte) child = this.sibling[child]!;
    return child;
  }

  /** Longer strings whose first `HEAD_BYTES` bytes end at the node, in the order of their bytes. */
  longAt(node: number): readonly Uint8Array[] {
    return this.depth[node] === HEAD_BYTES ? (this.long.get(node) ?? NONE) : NONE;
  }

  private addLong(node: number, string: Uint8Array): void {
    const strings = this.long.get(node) ?? [];
    strings.push(string);
    this.long.set(node, strings);
    this.longBytes += string.length;
  }

  private grow(node: number, byte: number): number {
    if (this.size === this.byte.length) this.doubleCapacity();
    const made = this.size++;
    this.byte[made] = byte;
    this.depth[made] = this.depth[node]! + 1;
    if (node === ROOT) this.first[byte] = made;
    this.sibling[made] = this.child[node]!;
    this.child[node] = made;
    return made;
  }

  /** The number of nodes is unknown in advance, because most strings share their beginning with another one. */
  private doubleCapacity(): void {
    const capacity = 2 * this.size;
    const copy = (from: Int32Array<ArrayBuffer>) => {
      const to = new Int32Array(capacity);
      to.set(from);
      return to;
    };
    const byte = new Uint8Array(capacity);
    byte.set(this.byte);
    this.byte = byte;
    this.child = copy(this.child);
    this.sibling = copy(this.sibling);
    this.fail = copy(this.fail);
    this.depth = copy(this.depth);
    this.found = copy(this.found);
  }

  /** Call it after the last `add`. Goes level by level, because a node's fallback must be linked before the node. */
  link(): void {
    for (const [node, strings] of this.long) this.long.set(node, sortUnique(strings));
    const queue = new Int32Array(this.size);
    let end = 0;
    for (let child = this.child[ROOT]!; child !== ROOT; child = this.sibling[child]!) queue[end++] = child;
    for (let at = 0; at < end; at++) {
      const node = queue[at]!;
      this.found[node] = Math.max(this.found[node]!, this.found[this.fail[node]!]!);
      for (let child = this.child[node]!; child !== ROOT; child = this.sibling[child]!) {
        this.fail[child] = this.next(this.fail[node]!, this.byte[child]!);
        queue[end++] = child;
      }
    }
  }
}

/** Sorts the strings by their bytes, and removes duplicates. */
function sortUnique(strings: readonly Uint8Array[]): Uint8Array[] {
  const sorted = strings.toSorted((a, b) => Buffer.compare(a, b));
  return sorted.filter((string, at) => at === 0 || Buffer.compare(sorted[at - 1]!, string) !== 0);
}
