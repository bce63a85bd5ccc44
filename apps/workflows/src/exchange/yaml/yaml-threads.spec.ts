import { describe, expect, it } from '@jest/globals';
import { YamlThreads } from './yaml-threads.js';

const threads = new YamlThreads();
const read = (text: string) => threads.read(text, 'body.yaml');

it('a problem in a text of any length names the field, the line and the column', async () => {
  for (const text of ['a: *b', `a: *b\n${'b: 1\n'.repeat(5_000)}`]) {
    await expect(read(text)).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.yaml': expect.stringContaining('line 1, column 4'), line: 1, column: 4 },
    });
  }
});

it('a long text is read and written like a short one', async () => {
  const value = { list: Array.from({ length: 20_000 }, (_, at) => ({ [`k${at}`]: `text\n${at}\n` })) };
  const text = await threads.write(JSON.stringify(value));
  expect(text).toContain('k19999: |');
  expect(await read(text ?? '')).toEqual(value);
});

describe('twenty million characters', () => {
  it.each(['- a\n', '[', '- ', '? ', 'a: 1\n', '#\n', '!!x ', '- &a b\n', '[a],\n', '- - a\n', '\n', '"', '{a: '])(
    'of %j are refused as YAML',
    async (piece) => {
      const text = piece.repeat((20 * 1024 * 1024) / piece.length);
      await expect(read(text)).rejects.toMatchObject({ code: 'validation_error' });
    },
  );

  it('of commas in a list are refused as YAML', async () => {
    await expect(read(`[${','.repeat(20 * 1024 * 1024)}`)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

// That the thread can be terminated also shows that the event loop is not blocked.
it('a text that takes longer than the timeout is refused as too large, and such a value is not written as YAML', async () => {
  const impatient = new YamlThreads(1);
  await expect(impatient.read('- a\n'.repeat(5_000), 'body.yaml')).rejects.toMatchObject({
    code: 'payload_too_large',
    details: { 'body.yaml': expect.stringContaining('JSON') },
  });
  expect(await impatient.write(JSON.stringify({ a: 'x'.repeat(100_000) }))).toBeNull();
});

it('two texts are processed at a time, sixteen wait, and further ones are refused with a request to retry', async () => {
  const own = new YamlThreads();
  const text = 'a: 1\n'.repeat(2_000);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => own.read(text, 'body.yaml')));
  const codes = results.map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : ''));
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2);
  expect(codes.filter((code) => code === 'validation_error')).toHaveLength(18);
});
