import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServerMessages } from './server-messages.js';

const TEXT =
  'INFO {"a":1}\r\nPING\r\nMSG a.b 1 4\r\n\r\nMS\r\nMSG c 2 _INBOX.1 0\r\n\r\nHMSG d 3 12 14\r\nNATS/1.0\r\n\r\nhi\r\n+OK\r\n';

describe('the messages of a NATS server', () => {
  it('are found with their subjects, and payloads are not read', () => {
    expect(new ServerMessages().push(Buffer.from(TEXT))).toEqual({ end: TEXT.length, subjects: ['a.b', 'c', 'd'] });
  });

  it('are the same however the bytes arrive, and end only where a message ends', () => {
    const bytes = Buffer.from(TEXT);
    const lines = ['INFO', 'PING', 'MSG a', 'MSG c', 'HMSG', '+OK'].map((start) => TEXT.indexOf(start));
    const ends = new Set([...lines.slice(1), bytes.length]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length })), (cuts) => {
        const messages = new ServerMessages();
        const subjects: string[] = [];
        const at = [...cuts, bytes.length].toSorted((a, b) => a - b);
        for (const [index, to] of at.entries()) {
          const from = at[index - 1] ?? 0;
          const part = messages.push(bytes.subarray(from, to));
          subjects.push(...part.subjects);
          const last = [...ends].filter((end) => end > from && end <= to).at(-1);
          expect(part.end).toBe(last === undefined ? null : last - from);
        }
        expect(subjects).toEqual(['a.b', 'c', 'd']);
      }),
    );
  });

  it('are refused with a line that does not end', () => {
    expect(() => new ServerMessages().push(Buffer.alloc(100_000, 'x'))).toThrow('too long');
  });
});
