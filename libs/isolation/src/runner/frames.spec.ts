import { describe, expect, it } from '@jest/globals';
import { InvalidFrameError, encodeFrame, FrameReader } from './frames.js';

describe('frames of the runner', () => {
  const frames = [['run', '', 'ünïcödé\n\0'], ['x'.repeat(7_000)], ['exit', '1']];
  const bytes = Buffer.concat(frames.map(encodeFrame));

  it.each([1, 3, 7, 1000, 1_000_000])('are read as they were encoded if they arrive in chunks of %d bytes', (size) => {
    const reader = new FrameReader();
    const read: string[][] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.push(bytes.subarray(at, at + size)));
    expect(read).toEqual(frames);
  });

  it('are refused as soon as their lengths cannot be right', () => {
    expect(() => new FrameReader().push(Buffer.from([255, 255, 255, 255]))).toThrow(InvalidFrameError);
    expect(() => new FrameReader().push(Buffer.from([0, 0, 0, 5, 0, 0, 0, 9, 1]))).toThrow(InvalidFrameError);
    expect(() => new FrameReader().push(Buffer.from([0, 0, 0, 2, 0, 0]))).toThrow(InvalidFrameError);
  });
});
