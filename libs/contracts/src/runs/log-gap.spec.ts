import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeLogGap, locateInLog, listLogPieces, type StoredLogInfo } from './log-gap.js';

const sha256 = 'a'.repeat(64);
/** Stores 40 of 100 bytes: the first 10 and the last 30. */
const cut: StoredLogInfo = { sha256, size: 40, truncated: true, head: 10, total: 100 };

describe('listLogPieces', () => {
  it.each([
    ['its start', 0, [{ start: 0, end: 10 }, { text: describeLogGap(60) }, { start: 10, end: 40 }]],
    ['within its head', 7, [{ start: 7, end: 10 }, { text: describeLogGap(60) }, { start: 10, end: 40 }]],
    ['within the gap', 50, [{ text: describeLogGap(20) }, { start: 10, end: 40 }]],
    ['the end of the gap', 70, [{ start: 10, end: 40 }]],
    ['within its tail', 99, [{ start: 39, end: 40 }]],
    ['its end', 100, []],
    ['beyond its end', 500, []],
  ])('starts reading from %s', (_, offset, pieces) => {
    expect(listLogPieces(cut, offset)).toEqual(pieces);
  });

  it('returns one piece for a complete log, and none for an empty one', () => {
    expect(listLogPieces({ sha256, size: 40, truncated: false })).toEqual([{ start: 0, end: 40 }]);
    expect(listLogPieces({ sha256, size: 0, truncated: false })).toEqual([]);
  });

  it('accounts for every byte of the complete log, wherever the read starts', () => {
    const log = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 50 }), fc.nat(50), fc.nat(200));
    fc.assert(
      fc.property(log, ([head, gap, tail, offset]) => {
        const stored: StoredLogInfo = { sha256, size: head + tail, truncated: true, head, total: head + gap + tail };
        let at = Math.min(offset, stored.total ?? 0);
        while (at < (stored.total ?? 0)) {
          const { skipped, start, end } = locateInLog(stored, at);
          expect(skipped + end - start).toBeGreaterThan(0);
          at += skipped + end - start;
        }
        expect(at).toBe(stored.total);
      }),
    );
  });
});
