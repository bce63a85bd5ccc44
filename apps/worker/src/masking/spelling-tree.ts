const ROOT = 0;
/** So many bytes of a longer string are in the tree; what follows them is compared where they are found. */
export const HEAD_BYTES = 16;
const NONE: readonly Uint8Array[] = [];
/** Nodes that there is room for at first. */
const INITIAL_NODES = 1024;

/**
 * All occurrences of many byte strings at once (Aho and Corasick, 1975): every byte is looked at once, whatever there is to
 * find. It takes 21 bytes of memory for each byte to look for, of the first `HEAD_BYTES` of each string; the rest is kept as
 * it is.
 */
export class SpellingTree {
  private byte = new Uint8Array(INITIAL_NODES);
  private child = new Int32Array(INITIAL_NODES);
  private sibling = new Int32Array(INITIAL_NODES);
  private fail = new Int32Array(INITIAL_NODES);
  private depth = new Int32Array(INITIAL_NODES);
  /** Length of the longest string that ends here; 0 where none does. */
  private found = new Int32Array(INITIAL_NODES);
  private readonly first = new Int32Array(256);
  /** Longer strings, by the node of their first bytes. None is at a node that another one falls back on: they are deepest. */
  private readonly long = new Map<number, Uint8Array[]>();
  private longBytes = 0;
  private maxLength = 0;
  /** Nodes so far. */
  size = 1;

  /** Length of the longest string, in bytes. */
  get maxBytes(): number {
    return this.maxLength;
  }

  /** Memory that it takes. */
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

  /** Whether anything that is looked for begins with this byte. */
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

  /** How many of the last bytes may be the beginning of something. */
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

  /** Longer strings whose first `HEAD_BYTES` end here, in the order of their bytes. */
  longAt(node: number): readonly Uint8Array[] {
    return this.depth[node] === HEAD_BYTES ? (this.long.get(node) ?? NONE) : NONE;
  }

  private addLong(node: number, string: Uint8Array): void {
    const known = this.long.get(node) ?? [];
    known.push(string);
    this.long.set(node, known);
    this.longBytes += string.length;
  }

  private grow(node: number, byte: number): number {
    if (this.size === this.byte.length) this.makeRoom();
    const made = this.size++;
    this.byte[made] = byte;
    this.depth[made] = this.depth[node]! + 1;
    if (node === ROOT) this.first[byte] = made;
    this.sibling[made] = this.child[node]!;
    this.child[node] = made;
    return made;
  }

  /** Most strings share their beginning with another one: how many nodes they make is known when they are in. */
  private makeRoom(): void {
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

  /** To be called when all is added. Level by level, so that what a node falls back on is linked before it. */
  link(): void {
    for (const [node, strings] of this.long) this.long.set(node, inOrder(strings));
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

/** By their bytes, each once. */
function inOrder(strings: readonly Uint8Array[]): Uint8Array[] {
  const sorted = strings.toSorted((a, b) => Buffer.compare(a, b));
  return sorted.filter((string, at) => at === 0 || Buffer.compare(sorted[at - 1]!, string) !== 0);
}
