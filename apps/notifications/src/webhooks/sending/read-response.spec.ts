import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_STORED_BYTES, readResponse } from './read-response.js';

const read = (chunks: Iterable<Uint8Array>, headers = {}) =>
  readResponse({ status: 200, headers, url: new URL('http://a'), body: Readable.from(chunks, { objectMode: false }) });

it('the beginning of any response is text that Postgres can store', async () => {
  const bytes = fc.uint8Array({ maxLength: 40_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), async (chunks) => {
      const { body, truncated } = await read(chunks.map((chunk) => Buffer.from(chunk)));
      expect(body.isWellFormed() && !body.includes('\0')).toBe(true);
      expect(truncated).toBe(chunks.reduce((sum, { length }) => sum + length, 0) > MAX_STORED_BYTES);
    }),
    { numRuns: 50 },
  );
});

it('an endless response is read only as far as it is stored', async () => {
  let chunksRead = 0;
  function* endless() {
    for (;;) {
      chunksRead += 1;
      yield Buffer.alloc(1024, 'a');
    }
  }
  expect(await read(endless())).toMatchObject({ truncated: true, body: 'a'.repeat(MAX_STORED_BYTES) });
  expect(chunksRead).toBeLessThan(200);
});

it('a response that breaks off is stored as far as it arrived', async () => {
  function* broken() {
    yield Buffer.from('so far');
    throw new Error('cut');
  }
  const headers = { 'set-cookie': ['a', 'b'], 'x-none': undefined, 'x-one': 'c' };
  expect(await read(broken(), headers)).toEqual({
    ...{ status: 200, body: 'so far', truncated: false },
    headers: { 'set-cookie': 'a, b', 'x-one': 'c' },
  });
});
