import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readLastLine } from '../steps/describe-exit.js';
import { MaskedLog } from './masked-log.js';
import { Masker } from './masker.js';

const SECRET = 'hunter22-hunter22-hunter22-hunter22';
const masker = Masker.of([SECRET]);
const folder = mkdtempSync(join(tmpdir(), 'masked-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(folder, 'log');
  writeFileSync(path, content);
  return path;
}

describe('the last line of a log', () => {
  it.each(Array.from({ length: 60 }, (_, at) => 4_070 + at))(
    'shows nothing of a value %i bytes before its end',
    (bytes) => {
      const last = readLastLine(file(`${'y'.repeat(9_000)}${SECRET}${'x'.repeat(bytes)}`), masker);
      expect(last).not.toMatch(/hunter|22|-/);
      expect(last).toMatch(/x{4000}$/);
    },
  );

  it('is complete if the log is short', () => {
    expect(readLastLine(file(`first\nsay ${SECRET}\n`), masker)).toBe('say ***');
    expect(readLastLine(file('short'), masker)).toBe('short');
  });
});

describe('a growing log', () => {
  it('is the same for all readers, independent of the time and offset of their reads', async () => {
    const text = fc.array(fc.constantFrom(SECRET, SECRET.slice(0, 9), 'a', 'bc\n', '22'), { maxLength: 12 });
    const reads = fc.array(
      fc.record({ grow: fc.nat(60), back: fc.nat(8), tail: fc.nat(9), maxBytes: fc.integer({ min: 1, max: 40 }) }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(text, reads, async (words, steps) => {
        if (!masker) throw new Error('nothing to mask');
        const raw = Buffer.from(words.join(''));
        const whole = Buffer.concat([masker.stream().push(raw)]);
        let grown = 0;
        const log = new MaskedLog(masker, (offset) => raw.subarray(offset, Math.min(grown, offset + 7)));
        let at = 0;
        for (const { grow, back, tail, maxBytes } of steps) {
          grown = Math.min(raw.length, grown + grow);
          at = Math.max(0, at - (back > 5 ? back : 0));
          if (tail > 5) {
            const start = await log.findLastLines(tail - 5);
            expect(start === 0 || whole[start - 1] === 10).toBe(true);
            at = start;
          }
          const part = await log.read(at, maxBytes);
          expect(part.length).toBeLessThanOrEqual(maxBytes);
          expect(whole.subarray(at, at + part.length).equals(part)).toBe(true);
          at += part.length;
        }
      }),
      { numRuns: 300 },
    );
  });
});
