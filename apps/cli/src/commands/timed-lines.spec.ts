import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogTimes } from '@millrace/client';
import { type TimedLine, TimedLines } from './timed-lines.js';

const START = '2026-11-24T04:31:02.000Z';
const at = (elapsedMs: number) => new Date(Date.parse(START) + elapsedMs).toISOString();
const toText = (lines: readonly TimedLine[]) => lines.map(({ time, bytes }) => [time, Buffer.from(bytes).toString()]);

const STORED: LogTimes = {
  ...{ state: 'stored', attempt: 1, started_at: START, size: 1_010 },
  samples: [
    { offset: 6, elapsed_ms: 250 },
    { offset: 900, elapsed_ms: 500 },
    { offset: 1_010, elapsed_ms: 750 },
  ],
  omitted: { offset: 8, bytes: 990 },
};

it('lines have their times, however the log arrives and although bytes are missing', async () => {
  const log = Buffer.from('one\ntwo\n\n… 990 bytes of this log were not kept …\nr\nthe end\nx');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 })), async (sizes) => {
      const lines = new TimedLines(() => Promise.resolve(STORED), 0);
      const all: TimedLine[] = [];
      let from = 0;
      for (const size of [...sizes, log.length]) {
        all.push(...(await lines.add(log.subarray(from, from + size))));
        from += size;
      }
      all.push(...(await lines.end()));
      expect(toText(all)).toEqual([
        [at(250), 'one\n'],
        [at(250), 'two\n'],
        [at(500), '\n'],
        [null, '… 990 bytes of this log were not kept …\n'],
        [at(750), 'r\n'],
        [at(750), 'the end\n'],
        [at(750), 'x'],
      ]);
    }),
    { numRuns: 50 },
  );
});

it('the times of a running step are read again until they are known', async () => {
  const states: LogTimes[] = [
    { ...STORED, state: 'running', samples: [] },
    { ...STORED, state: 'running', samples: [{ offset: 12, elapsed_ms: 300 }] },
  ];
  const lines = new TimedLines(() => Promise.resolve(states.shift() ?? STORED), 8);
  expect(toText(await lines.add(Buffer.from('new\npart')))).toEqual([[at(300), 'new\n']]);
});
