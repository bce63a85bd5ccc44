import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { MaskedOffsets } from '../masking/masked-offsets.js';
import { Masker } from '../masking/masker.js';
import { OffsetTranslator } from '../masking/offset-translator.js';
import { LogSamples, SAMPLE_INTERVAL_MS } from './log-samples.js';
import { storeLog } from './store-log.js';

const folder = mkdtempSync(join(tmpdir(), 'log-samples-'));
const store = new DiskStore(join(folder, 'store'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'hunter22-token';

/** Parts of a log that are written one after the other, each at a time. */
interface Write {
  text: string;
  at: number;
}

/** A log in pieces of any size, each some milliseconds after the one before. */
const writes = fc
  .record({
    parts: fc.array(fc.constantFrom(SECRET, '\n', 'x', 'yz\n', 'hunt', 'words and more\n'), { maxLength: 25 }),
    pieces: fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), wait: fc.integer({ max: 900, min: 0 }) }), {
      maxLength: 40,
    }),
  })
  .map(({ parts, pieces }): Write[] => {
    let [text, at] = [parts.join(''), 0];
    const all = pieces.map(({ size, wait }) => {
      at += wait;
      const piece = { text: text.slice(0, size), at };
      text = text.slice(size);
      return piece;
    });
    return [...all, { text, at: at + 1 }];
  });

const sizeAt = (log: readonly Write[], time: number) =>
  log.reduce((sum, { text, at }) => sum + (at <= time ? text.length : 0), 0);

/** The samples of a log that ended when its last part was written. */
function sampleLog(log: readonly Write[], samples = new LogSamples()): LogSamples {
  const end = log.at(-1)?.at ?? 0;
  for (let time = SAMPLE_INTERVAL_MS; time < end; time += SAMPLE_INTERVAL_MS) samples.add(sizeAt(log, time), time);
  samples.add(sizeAt(log, end), end);
  return samples;
}

/** When the byte was written, as a reader of the samples finds it. */
function timeOf(samples: readonly number[], offset: number): number | undefined {
  const place = samples.findIndex((size, index) => index % 2 === 0 && size > offset);
  return place === -1 ? undefined : samples[place + 1];
}

const writtenAt = (log: readonly Write[], offset: number): number => {
  let end = 0;
  return log.find(({ text }) => (end += text.length) > offset)?.at ?? NaN;
};

const startsOf = (text: string) => {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return starts.filter((start) => start < text.length);
};

/** The times of all lines, as readers of the masked log find them, are those of the first samples after they were written. */
function expectTimes(log: readonly Write[], samples: readonly number[]): void {
  const text = log.map((part) => part.text).join('');
  const raw = startsOf(text);
  const end = log.at(-1)?.at ?? 0;
  const expected = raw.map((start) =>
    Math.min(end, Math.max(1, Math.ceil(writtenAt(log, start) / SAMPLE_INTERVAL_MS)) * SAMPLE_INTERVAL_MS),
  );
  expect(startsOf(text.replaceAll(SECRET, '***')).map((start) => timeOf(samples, start))).toEqual(expected);
}

describe('a line has the time of the first sample after it was written,', () => {
  const masker = Masker.of([SECRET]);

  it('whether or not the log has secret values and is stored as a whole', async () => {
    const bounds = fc.record({ head: fc.integer({ min: 1, max: 40 }), tail: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(writes, bounds, async (log, sizes) => {
        const samples = sampleLog(log);
        const path = join(folder, 'stdout');
        writeFileSync(path, log.map(({ text }) => text).join(''));
        const translator = new OffsetTranslator(samples.sizes);
        await storeLog(path, store, masker, { ...sizes, translator });
        expectTimes(
          log,
          samples.list((offset) => translator.find(offset) ?? NaN),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('while the log grows and is read again and again', async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.integer({ min: 1, max: 7 }), async (log, partBytes) => {
        const text = Buffer.from(log.map((part) => part.text).join(''));
        let size = 0;
        const read = (from: number) => text.subarray(from, Math.min(size, from + partBytes));
        const offsets = masker && new MaskedOffsets(masker, read);
        const samples = new LogSamples();
        for (let ended = 1; ended <= log.length; ended++) {
          const written = log.slice(0, ended);
          size = sizeAt(written, Infinity);
          sampleLog(written, samples);
          await offsets?.translate([...samples.sizes], 1_000);
        }
        const whole = sampleLog(log);
        await offsets?.translate([...whole.sizes], 1_000);
        // What may be the beginning of a secret value is not decided before the log ends.
        const lines = startsOf(text.toString().replaceAll(SECRET, '***'));
        const list = whole.list(offsets?.find);
        const raw = whole.list();
        const rawLines = startsOf(text.toString());
        for (const [place, start] of lines.entries()) {
          const time = timeOf(list, start);
          if (time !== undefined) expect(time).toBe(timeOf(raw, rawLines[place] ?? NaN));
          else expect(lines.length - place).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('the samples of a long attempt are bounded, and less exact', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(waits, fc.integer({ min: 2, max: 20 }), (pauses, maxSamples) => {
      let at = 0;
      const log = pauses.map((pause) => ({ text: 'x\n', at: (at += pause) }));
      const list = sampleLog(log, new LogSamples(maxSamples)).list();
      expect(list.length).toBeLessThanOrEqual(2 * maxSamples);
      const intervalMs = Math.max(SAMPLE_INTERVAL_MS, (at / maxSamples) * 2 + SAMPLE_INTERVAL_MS);
      for (const [line, { at: written }] of log.entries()) {
        const time = timeOf(list, 2 * line) ?? NaN;
        expect(time).toBeGreaterThanOrEqual(written);
        expect(time - written).toBeLessThanOrEqual(2 * intervalMs + SAMPLE_INTERVAL_MS);
      }
    }),
    { numRuns: 100 },
  );
});

it('a log that its command truncates loses the samples of the removed bytes', () => {
  const samples = new LogSamples();
  for (const [size, time] of [
    [100, 250],
    [200, 500],
    [50, 750],
    [150, 1_000],
  ] as const)
    samples.add(size, time);
  expect(samples.list()).toEqual([50, 750, 150, 1_000]);
});
