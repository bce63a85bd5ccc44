import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StoredLogInfo, listLogPieces } from '@millrace/contracts/runs/log-gap';
import { findLogGap, LogTimeline } from './log-timeline.js';

const log = fc.record({
  head: fc.integer({ min: 1, max: 60 }),
  tail: fc.integer({ min: 1, max: 60 }),
  omitted: fc.integer({ min: 1, max: 12_000 }),
  followed: fc.double({ min: 0, max: 1, noNaN: true }),
  samples: fc.uniqueArray(fc.integer({ min: 1, max: 12_120 }), { maxLength: 20 }),
});

it('a byte has the time of the first sample behind it, wherever the reader got the line about missing bytes', () => {
  fc.assert(
    fc.property(log, ({ head, tail, omitted, followed, samples }) => {
      const size = head + omitted + tail;
      const offsets = [...samples.filter((offset) => offset < size).sort((a, b) => a - b), size];
      const times = {
        samples: offsets.map((offset, place) => ({ offset, elapsed_ms: place * 250 })),
        ...{ size, omitted: { offset: head, bytes: omitted } },
      };
      const complete = Uint8Array.from({ length: size }, (_, offset) => 97 + (offset % 26));
      const info: StoredLogInfo = { sha256: '', size: head + tail, truncated: true, head, total: size };
      // A reader who followed the log up to `from` gets the rest from the stored log.
      const from = Math.floor(followed * size);
      const received: (number | undefined)[] = [...Array(from).keys()];
      for (const piece of listLogPieces(info, from)) {
        if ('text' in piece) received.push(...Array<undefined>(new TextEncoder().encode(piece.text).length));
        else for (let at = piece.start; at < piece.end; at++) received.push(at < head ? at : at + omitted);
      }
      const pieces = listLogPieces(info, from).find((piece) => 'text' in piece);
      const line = new TextEncoder().encode(pieces && 'text' in pieces ? pieces.text : '');
      let inLine = 0;
      const bytes = Uint8Array.from(received, (offset) =>
        offset === undefined ? (line[inLine++] ?? 0) : (complete[offset] ?? 0),
      );
      const timeline = new LogTimeline(
        times,
        findLogGap(times, bytes.length, (start, end) => bytes.subarray(start, end)),
      );
      for (const [place, offset] of received.entries()) {
        const sample = offset === undefined ? undefined : times.samples.find((one) => one.offset > offset);
        expect(timeline.find(place)).toBe(sample?.elapsed_ms);
      }
    }),
    { numRuns: 60 },
  );
});
