import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineIndexer } from './line-indexer.js';
import { countRanges, encodeRanges, RangeList, rangeAt, type Range, splitIntoBatches } from './range-list.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const cut = (source: Uint8Array, ranges: Iterable<Range>): string[] =>
  [...ranges].map(({ offset, length }) => new TextDecoder().decode(source.subarray(offset, offset + length)));

function index(source: Uint8Array, mode: 'line' | 'batch', cuts: number[] = []): RangeList {
  const indexer = new LineIndexer(mode);
  const ends = [...cuts.map((cut) => cut % (source.length + 1)).sort((a, b) => a - b), source.length];
  ends.forEach((end, at) => indexer.push(source.subarray(ends[at - 1] ?? 0, end)));
  return indexer.end();
}

const source = fc
  .array(fc.constantFrom('a', 'bb', 'ü', '\n', '\n', '\r\n', '\r', ' '), { maxLength: 60 })
  .map((parts) => bytes(parts.join('')));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

describe('the lines of an indexed file', () => {
  it.each([
    ['', []],
    ['\n\r\n\n', []],
    ['a', ['a']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\n\r\nb', ['a', 'b']],
    ['a\rb\n', ['a\rb']],
    ['\ra\n', ['\ra']],
    [' \n', [' ']],
  ])('of %j are %j', (text, lines) => {
    expect(cut(bytes(text), index(bytes(text), 'line'))).toEqual(lines);
  });

  it('do not depend on the chunks of the stream', () => {
    fc.assert(
      fc.property(source, cuts, (bytes, cuts) => {
        const lines = new TextDecoder()
          .decode(bytes)
          .split('\n')
          .map((line, at, all) => (at < all.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line));
        expect(cut(bytes, index(bytes, 'line', cuts))).toEqual(lines.filter((line) => line !== ''));
      }),
    );
  });

  it('include a last line without a line ending', () => {
    const indexer = new LineIndexer();
    expect(indexer.hasOpenLine).toBe(false);
    indexer.push(bytes('a'));
    expect([indexer.hasOpenLine, indexer.size]).toEqual([true, 1]);
    indexer.push(bytes('\n'));
    expect([indexer.hasOpenLine, indexer.size]).toEqual([false, 2]);
  });
});

describe('batches of lines', () => {
  it('equal the source when concatenated, and differ by at most one line', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 12 }), cuts, (bytes, splits, cuts) => {
        const lines = index(bytes, 'batch', cuts);
        const batches = [...splitIntoBatches(lines, splits)];
        expect(batches).toHaveLength(Math.min(splits, lines.length));
        expect(cut(bytes, batches).join('')).toBe(new TextDecoder().decode(bytes));
        const sizes = batches.map(
          ({ offset, length }) => index(bytes.subarray(offset, offset + length), 'batch').length,
        );
        expect(Math.max(0, ...sizes) - Math.min(...sizes, Infinity)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('have one line each if there are fewer lines than batches, and are none without lines', () => {
    const two = bytes('a\n\n');
    expect(cut(two, splitIntoBatches(index(two, 'batch'), 10))).toEqual(['a\n', '\n']);
    expect(splitIntoBatches(index(bytes(''), 'batch'), 10)).toHaveLength(0);
    expect(() => splitIntoBatches(new RangeList(), 0)).toThrow(RangeError);
  });
});

describe('an encoded line index', () => {
  it('has two little-endian 64-bit integers per range, and returns each range', () => {
    const ranges = [
      { offset: 0, length: 1 },
      { offset: 2 ** 40 + 5, length: 2 ** 33 },
    ];
    const encoded = encodeRanges(ranges);
    expect([...encoded.subarray(0, 16)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    const inside = new Uint8Array([9, 9, 9, ...encoded]).subarray(3);
    expect([rangeAt(inside, 0), rangeAt(inside, 1), countRanges(inside)]).toEqual([...ranges, 2]);
    for (const n of [-1, 2, 0.5]) expect(() => rangeAt(inside, n)).toThrow(RangeError);
  });

  it('stores a million lines at 16 bytes each', () => {
    const indexer = new LineIndexer();
    const chunk = bytes('line\n'.repeat(10_000));
    for (let at = 0; at < 100; at += 1) indexer.push(chunk);
    const encoded = encodeRanges(indexer.end());
    expect(encoded.byteLength).toBe(16_000_000);
    expect(rangeAt(encoded, 999_999)).toEqual({ offset: 4_999_995, length: 4 });
    expect(() => indexer.end().at(1_000_000)).toThrow(RangeError);
  });
});
