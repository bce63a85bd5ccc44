import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogBuffer } from './log-buffer.js';

const encode = (text: string) => new TextEncoder().encode(text);
const linesOf = (buffer: LogBuffer) =>
  Array.from({ length: buffer.lineCount }, (_, line) => buffer.getLine(line, Infinity).text);

it('a log has the same lines however it arrives', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\r', ' ') });
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 })), (log, sizes) => {
      const buffer = new LogBuffer();
      const bytes = encode(log);
      let from = 0;
      for (const size of [...sizes, bytes.length]) {
        buffer.append(bytes.subarray(from, from + size));
        from += size;
      }
      const expected = log.split('\n');
      expect(linesOf(buffer)).toEqual(expected.at(-1) === '' ? expected.slice(0, -1) : expected);
    }),
  );
});

it('a line across chunks is one line', () => {
  const buffer = new LogBuffer();
  buffer.append(encode('x'.repeat(1_048_570)));
  buffer.append(encode(' and on\nlast'));
  expect(buffer.lineCount).toBe(2);
  expect(buffer.getLine(0, Infinity).text.endsWith('x and on')).toBe(true);
  expect(buffer.getLine(1, Infinity).text).toBe('last');
});

it('of a long line that was written again and again, the last text is shown', () => {
  const buffer = new LogBuffer();
  const progress = Array.from({ length: 100 }, (_, percent) => `\r${percent} % of the file`).join('');
  buffer.append(encode(`${progress}\r\n${progress}`));
  expect(buffer.getShownLine(0, 100)).toEqual({ text: '99 % of the file', cutBytes: 0 });
  expect(buffer.getShownLine(1, 100)).toEqual({ text: '99 % of the file', cutBytes: 0 });
  buffer.append(encode('x'.repeat(200)));
  expect(buffer.getShownLine(1, 100).cutBytes).toBeGreaterThan(0);
});

it('a long line is cut, and says by how much', () => {
  const buffer = new LogBuffer();
  buffer.append(encode(`${'y'.repeat(5000)}\nnext`));
  expect(buffer.getLine(0, 4000)).toEqual({ text: 'y'.repeat(4000), cutBytes: 1000 });
  expect(buffer.getLine(1, 4000)).toEqual({ text: 'next', cutBytes: 0 });
});
