import { describe, expect, it } from '@jest/globals';
import { readFrames, type Frame } from './read-frames.js';

async function parse(text: string, chunk: number): Promise<Frame[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const frames: Frame[] = [];
  for await (const frame of readFrames(chunks())) frames.push(frame);
  return frames;
}

const TEXT =
  ': hello\n\nid: 1\nevent: change\ndata: {"a":"ü"}\n\nid: 2\r\ndata: one\r\ndata:two\r\n\r\nevent: end\ndata: {}\n\nid: 3\ndata: cut';

describe('server-sent events', () => {
  it.each([[1], [2], [7], [1000]])('are read alike in chunks of %d bytes', async (chunk) => {
    expect(await parse(TEXT, chunk)).toEqual([
      { id: '1', event: 'change', data: '{"a":"ü"}' },
      { id: '2', event: 'message', data: 'one\ntwo' },
      { id: null, event: 'end', data: '{}' },
    ]);
  });

  it('that were cut off are not given', async () => {
    expect(await parse('id: 1\ndata: x\n', 3)).toEqual([]);
  });
});
