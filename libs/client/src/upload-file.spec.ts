import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { fileForm } from './upload-file.js';

/** Parses a form with Node's own parser. */
async function parse(form: { contentType: string; body: BodyInit }): Promise<FormData> {
  return new Response(form.body, { headers: { 'content-type': form.contentType } }).formData();
}

describe('the form of an upload', () => {
  it('is a Blob with the path and the file, in this order, if the file is a Blob', async () => {
    const form = fileForm('in/wörter "a".txt', 'bound');
    const body = form.around(new Blob(['one\r\ntwo']));
    const parsed = await parse({ contentType: form.contentType, body });
    expect([...parsed.keys()]).toEqual(['path', 'file']);
    expect(parsed.get('path')).toBe('in/wörter "a".txt');
    expect(await (parsed.get('file') as File).text()).toBe('one\r\ntwo');
    expect((parsed.get('file') as File).name).toBe('wörter "a".txt');
  });

  it('is a stream with the same bytes if the file is a stream', async () => {
    const form = fileForm('a.txt', 'bound');
    const streamed = form.around(new Blob(['x'.repeat(100_000)]).stream()) as ReadableStream<Uint8Array>;
    const blob = form.around(new Blob(['x'.repeat(100_000)])) as Blob;
    expect(await text(streamed)).toBe(await blob.text());
  });
});
