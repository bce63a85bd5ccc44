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

describe('the parser of server-sent events', () => {
  it.each([[1], [2], [7], [1000]])('parses the same events from chunks of %d bytes', async (chunk) => {
    expect(await parse(TEXT, chunk)).toEqual([
      { id: '1', event: 'change', data: '{"a":"ü"}' },
      { id: '2', event: 'message', data: 'one\ntwo' },
      { id: null, event: 'end', data: '{}' },
    ]);
  });

  it('skips an event if the stream ends before it is complete', async () => {
    expect(await parse('id: 1\ndata: x\n', 3)).toEqual([]);
  });

  it.each([[1], [4], [1000]])('ignores an id that contains NUL, in chunks of %d bytes', async (chunk) => {
    expect(await parse('id: 1\nid: a\0b\ndata: x\n\nid: \0\ndata: y\n\n', chunk)).toEqual([
      { id: '1', event: 'message', data: 'x' },
      { id: null, event: 'message', data: 'y' },
    ]);
  });

  it.each([[1], [3], [1000]])('accepts LF, CR LF and CR as line ends, in chunks of %d bytes', async (chunk) => {
    expect(await parse('data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\r\n', chunk)).toEqual(
      ['a', 'b', 'c', 'd'].map((data) => ({ id: null, event: 'message', data })),
    );
  });

  it('skips events without a data field', async () => {
    expect(await parse('event: change\nid: 1\n\n: comment\n\ndata:\n\n', 5)).toEqual([
      { id: null, event: 'message', data: '' },
    ]);
  });
});
