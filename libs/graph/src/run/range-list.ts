/** A piece of a byte stream, in bytes. */
export interface Range {
  offset: number;
  length: number;
}

/** Bytes of one range in an encoded index. */
export const RANGE_BYTES = 16;

/** Ranges in order, at 16 bytes each however many they are: a hundred million lines must fit. */
export class RangeList implements Iterable<Range> {
  private numbers = new Float64Array(64);
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(offset: number, length: number): void {
    const at = this.count * 2;
    if (at === this.numbers.length) {
      const larger = new Float64Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[at] = offset;
    this.numbers[at + 1] = length;
    this.count += 1;
  }

  at(index: number): Range {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) {
      throw new RangeError(`no range ${index} among ${this.count}`);
    }
    return { offset: this.numbers[index * 2] ?? 0, length: this.numbers[index * 2 + 1] ?? 0 };
  }

  *[Symbol.iterator](): Generator<Range> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }
}

/** An index as stored: offset and length of each range, as little-endian unsigned 64-bit numbers. */
export function encodeRanges(ranges: RangeList | readonly Range[]): Uint8Array {
  const bytes = new Uint8Array(ranges.length * RANGE_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { offset, length } of ranges) {
    view.setBigUint64(at, BigInt(offset), true);
    view.setBigUint64(at + 8, BigInt(length), true);
    at += RANGE_BYTES;
  }
  return bytes;
}

/** How many ranges an encoded index holds. */
export const countRanges = (index: Uint8Array): number => Math.floor(index.byteLength / RANGE_BYTES);

/** Range `n`, counted from 0 (child `n + 1`), of an encoded index. Throws a RangeError where there is none. */
export function rangeAt(index: Uint8Array, n: number): Range {
  if (!Number.isInteger(n) || n < 0 || n >= countRanges(index))
    throw new RangeError(`no range ${n} among ${countRanges(index)}`);
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const read = (at: number): number => Number(view.getBigUint64(at, true));
  return { offset: read(n * RANGE_BYTES), length: read(n * RANGE_BYTES + 8) };
}
