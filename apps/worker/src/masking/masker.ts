import { MaskStream } from './mask-stream.js';
import { type OffsetTranslator } from './offset-translator.js';
import { listSecretParts, listSpellings, listWholeSecrets } from './spell-value.js';
import { SpellingTree } from './spelling-tree.js';

/** Limits for parts of values: their number, and the nodes of each tree. They cost up to 50 ms and 6 MB. */
const MAX_PARTS = 500;
const MAX_NODES = 100_000;

/** Masks the secret values of one run in everything that users can see. */
export class Masker {
  private readonly plain = new SpellingTree();
  private readonly unbroken = new SpellingTree();

  private constructor(values: readonly string[]) {
    const wholes = new Set(values.flatMap(listWholeSecrets));
    for (const text of wholes) this.add(text);
    for (const text of [...new Set(values.flatMap(listSecretParts))].slice(0, MAX_PARTS)) {
      if (Math.max(this.plain.size, this.unbroken.size) > MAX_NODES) break;
      if (!wholes.has(text)) this.add(text);
    }
    this.plain.link();
    this.unbroken.link();
  }

  private add(text: string): void {
    const { plain, unbroken } = listSpellings(text);
    for (const bytes of plain) this.plain.add(bytes);
    for (const bytes of unbroken) this.unbroken.add(bytes);
  }

  /** Null if no value is long enough to be searched. */
  static of(values: readonly string[]): Masker | null {
    const masker = new Masker(values);
    return masker.maxBytes === 0 ? null : masker;
  }

  /** Bytes of the longest spelling, without line breaks and blanks. */
  get maxBytes(): number {
    return Math.max(this.plain.maxBytes, this.unbroken.maxBytes);
  }

  /** Memory in use. */
  get bytes(): number {
    return this.plain.bytes + this.unbroken.bytes;
  }

  /** @param translator gets the place of everything that is emitted */
  stream(translator: OffsetTranslator | null = null): MaskStream {
    return new MaskStream(this.plain, this.unbroken, translator);
  }

  /** Masks a short text. If it ends in …, it was cut, and the possible beginning of a value at its end is left out. */
  text(text: string): string {
    const isCut = text.endsWith('…');
    const stream = this.stream();
    const masked = Buffer.concat([stream.push(Buffer.from(isCut ? text.slice(0, -1) : text)), stream.end(isCut)]);
    return masked.toString('utf8') + (isCut ? '…' : '');
  }

  /** @param cut whether the content was cut off @param translator gets the place of everything that is emitted */
  async *mask(
    content: AsyncIterable<Uint8Array>,
    cut = false,
    translator: OffsetTranslator | null = null,
  ): AsyncGenerator<Uint8Array> {
    const stream = this.stream(translator);
    for await (const chunk of content) {
      const masked = stream.push(chunk);
      if (masked.length > 0) yield masked;
    }
    yield stream.end(cut);
  }

  /** Whether the content contains a secret value. */
  async finds(content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const stream = this.stream();
    for await (const chunk of content) {
      stream.push(chunk);
      if (stream.hasFound) return true;
    }
    return false;
  }
}
