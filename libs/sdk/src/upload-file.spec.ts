import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { fileForm } from './upload-file.js';

/** Node's own parser is the judge. */
async function parse(form: { contentType: string; body: BodyInit }): Promise<FormData> {
  return new Response(form.body, { headers: { 'content-type': form.contentType } }).formData();
}

describe('a form around a file', () => {
  it('of a Blob is a Blob that holds path and file, in this order', async () => {
    const form = fileForm('in/wörter "a".txt', 'bound');
    const body = form.around(new Blob(['one\r\ntwo']));
    const parsed = await parse({ contentType: form.contentType, body });
    expect([...parsed.keys()]).toEqual(['path', 'file']);
    expect(parsed.get('path')).toBe('in/wörter "a".txt');
    expect(await (parsed.get('file') as File).text()).toBe('one\r\ntwo');
    expect((parsed.get('file') as File).name).toBe('wörter "a".txt');
  });

  it('of a stream is the same bytes as a stream', async () => {
    const form = fileForm('a.txt', 'bound');
    const streamed = form.around(new Blob(['x'.repeat(100_000)]).stream()) as ReadableStream<Uint8Array>;
    const blob = form.around(new Blob(['x'.repeat(100_000)])) as Blob;
    expect(await text(streamed)).toBe(await blob.text());
  });
});
