import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BadFrameError, ClientFrames, type ClientFrame } from './client-frames.js';

function takeAll(frames: ClientFrames, chunk: Buffer): ClientFrame[] {
  frames.add(chunk);
  const taken: ClientFrame[] = [];
  for (let frame = frames.next(); frame !== null; frame = frames.next()) taken.push(frame);
  return taken;
}

const BYTE = Buffer.from('x');
function takeOne(frames: ClientFrames): ClientFrame | null {
  frames.add(BYTE);
  return frames.next();
}

const split = (text: string | Buffer, maxPayloadBytes = 1_000) =>
  takeAll(new ClientFrames(maxPayloadBytes), Buffer.from(text));

describe('the messages of a client of NATS', () => {
  it('have a subject and a payload without headers', () => {
    const text =
      'CONNECT {"name":"w"}\r\nSUB a.* q 1\r\nPUB b _INBOX.1 2\r\nhi\r\nHPUB c 12 15\r\nNATS/1.0\r\n\r\nabc\r\nPING\r\n';
    expect(split(text)).toMatchObject([
      { kind: 'connect', options: { name: 'w' } },
      { kind: 'subscribe', subject: 'a.*', id: '1' },
      { kind: 'publish', subject: 'b', reply: '_INBOX.1', payload: Buffer.from('hi') },
      { kind: 'publish', subject: 'c', reply: null, payload: Buffer.from('abc') },
      { kind: 'other', bytes: Buffer.from('PING\r\n') },
    ]);
  });

  it('are the same however the bytes arrive', () => {
    const bytes = Buffer.from('PUB sig.a 4\r\n\r\nPU\r\nPONG\r\nUNSUB 1\r\nSUB b 2\r\n');
    const whole = split(bytes);
    expect(Buffer.concat(whole.map((frame) => frame.bytes))).toEqual(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length })), (cuts) => {
        const frames = new ClientFrames(100);
        const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
        const received = ends.flatMap((end, index) => takeAll(frames, bytes.subarray(ends[index - 1] ?? 0, end)));
        expect(received).toEqual(whole);
      }),
    );
  });

  it.each([
    ['a second message behind a single LF', 'UNSUB 1\nSUB _INBOX_worker.> 2\r\n'],
    ['a second message behind a single CR', 'PING\rSUB a 2\r\n'],
    ['a payload that is longer than its size', 'PUB a 1\r\nabPUB b 1\r\n'],
    ['a size that is no number', 'PUB a -1\r\n'],
    ['more than NATS accepts', 'PUB a 1001\r\n'],
    ['headers that are longer than the message', 'HPUB a 9 3\r\nabc\r\n'],
    ['an unknown verb', 'INFO {}\r\n'],
    ['options that are no JSON', 'CONNECT x\r\n'],
    ['options that are no object', 'CONNECT null\r\n'],
    ['options that are a list', 'CONNECT []\r\n'],
    ['a line without an end', 'A'.repeat(10_000)],
  ])('are refused with %s', (_, text) => {
    expect(() => split(text)).toThrow(BadFrameError);
  });

  it('stay the same while later ones arrive', () => {
    const frames = new ClientFrames(100);
    const taken = Array.from('PUB a 5\r\nfirst\r\nPUB a 6\r\nsecond\r\n').flatMap((byte) =>
      takeAll(frames, Buffer.from(byte)),
    );
    expect(taken.map((frame) => frame.kind === 'publish' && frame.payload.toString())).toEqual(['first', 'second']);
  });

  it('cost no more if their bytes arrive one by one', () => {
    const frames = new ClientFrames(32 * 1024 * 1024);
    frames.add(Buffer.from(`PUB a ${32 * 1024 * 1024}\r\n`));
    frames.add(Buffer.alloc(31 * 1024 * 1024));
    // Each would copy 31 MB, and the test would take an hour.
    for (let sent = 0; sent < 500_000; sent += 1) if (takeOne(frames) !== null) throw new Error('complete');
  });
});
