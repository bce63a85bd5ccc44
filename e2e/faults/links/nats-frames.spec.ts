import { describe, expect, it } from '@jest/globals';
import { FrameParser } from './nats-frames.js';

const CONNECT = 'CONNECT {"verbose":false}\r\n';
const REPORT = 'PUB rpc.runs.reports.take _INBOX.1 7\r\na\r\nb\r\nc\r\n';
const SIGNAL = 'HPUB evt.x 12 14\r\nNATS/1.0\r\n\r\nok\r\n';

describe('the frames of a NATS client', () => {
  it('are control lines, and messages with a payload that may contain line ends', () => {
    const frames = new FrameParser().push(Buffer.from(CONNECT + REPORT + SIGNAL));
    expect(frames.map(({ bytes, subject }) => [bytes.toString(), subject])).toEqual([
      [CONNECT, null],
      [REPORT, 'rpc.runs.reports.take'],
      [SIGNAL, 'evt.x'],
    ]);
  });

  it('are complete if their bytes arrive one by one', () => {
    const parser = new FrameParser();
    const frames = [...Buffer.from(CONNECT + REPORT)].flatMap((byte) => parser.push(Buffer.from([byte])));
    expect(frames.map(({ bytes }) => bytes.toString())).toEqual([CONNECT, REPORT]);
  });
});
