const ROOT = 0;
/** Nodes that there is room for at first. */
const FEW = 1024;

/**
 * All occurrences of many byte strings at once (Aho and Corasick, 1975): every byte is looked at once, whatever there is to
 * find. It takes 21 bytes of memory for each byte to look for.
 */
export class SpellingTree {
  private byte = new Uint8Array(FEW);
  private child = new Int32Array(FEW);
  private sibling = new Int32Array(FEW);
  private fail = new Int32Array(FEW);
  private depth = new Int32Array(FEW);
  /** Length of the longest string that ends here; 0 where none does. */
  private found = new Int32Array(FEW);
  private readonly first = new Int32Array(256);
  private size = 1;
  readonly longest: number;

  constructor(strings: readonly Uint8Array[]) {
    for (const string of strings) this.add(string);
    this.longest = strings.reduce((most, { length }) => Math.max(most, length), 0);
    this.link();
  }

  /** Memory that it takes. */
  get bytes(): number {
    return 21 * this.byte.length;
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

  private add(string: Uint8Array): void {
    let node = ROOT;
    for (const byte of string) node = this.childOf(node, byte) || this.grow(node, byte);
    this.found[node] = string.length;
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
    const most = 2 * this.size;
    const copy = (from: Int32Array<ArrayBuffer>) => {
      const to = new Int32Array(most);
      to.set(from);
      return to;
    };
    const byte = new Uint8Array(most);
    byte.set(this.byte);
    this.byte = byte;
    this.child = copy(this.child);
    this.sibling = copy(this.sibling);
    this.fail = copy(this.fail);
    this.depth = copy(this.depth);
    this.found = copy(this.found);
  }

  /** Level by level, so that what a node falls back on is linked before it. */
  private link(): void {
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
