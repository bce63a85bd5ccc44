/** A part of a byte stream; both numbers count bytes. */
export interface Range {
  offset: number;
  length: number;
}

/** Size of one range in an encoded index, in bytes. */
export const RANGE_BYTES = 16;

/** An ordered list of ranges. Takes 16 bytes per range, because an index of a hundred million lines must fit in memory. */
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
      throw new RangeError(`range ${index} does not exist: the list has ${this.count} ranges`);
    }
    return { offset: this.numbers[index * 2] ?? 0, length: this.numbers[index * 2 + 1] ?? 0 };
  }

  *[Symbol.iterator](): Generator<Range> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }
}

/** Encodes an index for storage: offset and length of each range as little-endian unsigned 64-bit integers. */
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

/** Number of ranges in an encoded index. */
export const countRanges = (index: Uint8Array): number => Math.floor(index.byteLength / RANGE_BYTES);

/**
 * Reads range `n` of an encoded index, counted from 0; it belongs to child `n + 1`.
 * @throws RangeError if there is no such range
 */
export function rangeAt(index: Uint8Array, n: number): Range {
  if (!Number.isInteger(n) || n < 0 || n >= countRanges(index))
    throw new RangeError(`range ${n} does not exist: the index has ${countRanges(index)} ranges`);
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const read = (at: number): number => Number(view.getBigUint64(at, true));
  return { offset: read(n * RANGE_BYTES), length: read(n * RANGE_BYTES + 8) };
}

/**
 * Groups consecutive lines (`LineIndexer` with mode `batch`) into `splits` batches. Their sizes differ by at most one line,
 * larger batches first. Fewer lines than `splits` make one batch per line; no lines make no batch.
 * @throws RangeError if `splits` is not a positive integer
 */
export function splitIntoBatches(lines: RangeList, splits: number): RangeList {
  if (!Number.isInteger(splits) || splits < 1)
    throw new RangeError(`splits must be a positive integer (got ${splits})`);
  const batchCount = Math.min(splits, lines.length);
  const batches = new RangeList();
  let next = 0;
  for (let batch = 0; batch < batchCount; batch += 1) {
    const size = Math.floor(lines.length / batchCount) + (batch < lines.length % batchCount ? 1 : 0);
    const first = lines.at(next);
    const last = lines.at(next + size - 1);
    batches.push(first.offset, last.offset + last.length - first.offset);
    next += size;
  }
  return batches;
}
