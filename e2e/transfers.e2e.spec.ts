import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Output } from '@millrace/contracts/records';
import { outputs, storage } from '@millrace/contracts/resources';
import { checkedFetch } from './support/checked-fetch.js';
import {
  listOutputs,
  makeWorkflow,
  readFilePort,
  runToEnd,
  script,
  startRun,
  waitForEnd,
} from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a stored file', () => {
  const bytes = randomBytes(3 * 1024 * 1024 + 17);

  it('is downloaded unmodified, completely and in ranges', async () => {
    const { client } = account;
    const file = await client.files.upload('data/räw 1.bin', () => new Blob([bytes]).stream());
    expect(file).toMatchObject({
      path: 'data/räw 1.bin',
      name: 'räw 1.bin',
      size: bytes.length,
      sha256: hashOf(bytes),
    });
    const read = async (range?: { start: number; end?: number }) => {
      const download = await client.download(storage.downloadFile, { params: { id: file.id } }, range ? { range } : {});
      return { bytes: await buffer(download.body), total: download.totalSize, name: download.name };
    };
    const whole = await read();
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.name).toBe('räw 1.bin');
    const part = await read({ start: 1_000, end: 1_999 });
    expect(part.bytes.equals(bytes.subarray(1_000, 2_000))).toBe(true);
    expect(part.total).toBe(bytes.length);
    expect((await read({ start: bytes.length - 5 })).bytes.equals(bytes.subarray(-5))).toBe(true);
  });

  it.each([
    ['a path that is not UTF-8', Buffer.from('caf\xe9', 'latin1'), 1, { 'body.path': 'must be UTF-8' }],
    ['two files', Buffer.from('data/two.txt'), 2, { 'body.file': 'must be sent once; an upload is one file' }],
  ])('cannot be made from a request with %s', async (_, path, times, details) => {
    const file = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n');
    const start = Buffer.from('--b\r\ncontent-disposition: form-data; name="path"\r\n\r\n');
    const files = Array.from({ length: times }, () => file);
    const body = new Blob([Buffer.concat([start, path, Buffer.from('\r\n'), ...files, Buffer.from('--b--\r\n')])]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await rawRequest(account, 'POST', '/api/storage/files', { body, headers });
    expect([response.status, response.body.details]).toEqual([400, details]);
  });

  it('is replaced by another one at the same path', async () => {
    const { client } = account;
    const first = await client.files.upload('data/same.txt', new Blob(['one']));
    const second = await client.files.upload('data/same.txt', new Blob(['two!']));
    const { results } = await client.call(storage.listFiles, { query: { path: 'data/same.txt' } });
    expect(results).toHaveLength(1);
    expect(second).toMatchObject({ id: first.id, size: 4 });
  });

  it('cannot be read after it is deleted', async () => {
    const { client } = account;
    const { id } = await client.files.upload('data/gone.txt', new Blob(['x']));
    await client.call(storage.deleteFile, { params: { id } });
    await expect(client.download(storage.downloadFile, { params: { id } })).rejects.toMatchObject({ status: 404 });
  });

  it('can be the input of a run', async () => {
    const { client } = account;
    await client.files.upload('data/words.txt', new Blob(['b\na\n']));
    const id = await runToEnd(
      account,
      {
        nodes: { 'sort-1': script('sort in/http-input-1/words.txt') },
        inputs: { 'http-input-1': { type: 'FILE', label: 'words' } },
        edges: [['http-input-1/output', 'sort-1/file']],
      },
      { words: 'millrace://file/data/words.txt' },
    );
    expect(await readFilePort(client, id.id, 'sort-1')).toBe('a\nb\n');
  });

  it('is the default input of a run if the workflow names it', async () => {
    const { client } = account;
    for (const name of ['usual', 'other']) await client.files.upload(`data/${name}.txt`, new Blob([name]));
    const draft = {
      nodes: { 'cat-1': script('cat in/http-input-1/*') },
      inputs: { 'http-input-1': { type: 'FILE', label: 'text', value: 'millrace://file/data/usual.txt' } },
      edges: [['http-input-1/output', 'cat-1/file']] as [string, string][],
    };
    const usual = await runToEnd(account, draft);
    expect(await readFilePort(client, usual.id, 'cat-1')).toBe('usual');
    const other = await runToEnd(account, draft, { text: 'millrace://file/data/other.txt' });
    expect(await readFilePort(client, other.id, 'cat-1')).toBe('other');
    await expect(startRun(account, draft, { text: 'millrace://file/data/none.txt' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'inputs.text': 'File "data/none.txt" does not exist in this vault.' },
    });
  });
});

describe('an output', () => {
  let output: Output;
  const text = Array.from({ length: 1000 }, (_, index) => `${index + 1}\n`).join('');
  beforeAll(async () => {
    const run = await runToEnd(account, { nodes: { 'only-1': script('seq 1000') } });
    output = (await listOutputs(account.client, run.id, 'only-1'))[0] as Output;
  });
  const fetchRange = (range: string) =>
    checkedFetch(`${account.url}/api/outputs/${output.id}/download`, {
      headers: { authorization: `Bearer ${account.access}`, range },
    });

  it('has its metadata', () => {
    expect(output).toMatchObject({
      name: 'output.txt',
      path: 'output.txt',
      format: 'txt',
      size: text.length,
      sha256: hashOf(Buffer.from(text)),
      pretty_size: expect.stringMatching(/^3\.\d+ \wi?B$/),
    });
  });

  it.each([
    ['bytes=0-9', 206, [0, 10]],
    ['bytes=-4', 206, [text.length - 4, text.length]],
    ['bytes=3885-', 206, [3885, text.length]],
    ['bytes=0-999999', 206, [0, text.length]],
    ['lines=1-2', 200, [0, text.length]],
  ] as const)('responds to the range %s', async (range, status, [start, end]) => {
    const response = await fetchRange(range);
    expect({ status: response.status, body: await response.text() }).toEqual({ status, body: text.slice(start, end) });
  });

  it('rejects a range beyond its end with 416', async () => {
    const response = await fetchRange(`bytes=${text.length}-`);
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${text.length}`);
  });

  it('can be downloaded by a signed link without a token, but not by a changed link', async () => {
    const { url } = await account.client.call(outputs.signOutput, { params: { id: output.id } });
    expect(await (await checkedFetch(url, {})).text()).toBe(text);
    const changed = url.replace(/signature=./, (part) => `signature=${part.endsWith('A') ? 'B' : 'A'}`);
    expect((await checkedFetch(changed, {})).status).toBe(403);
  });

  it('can be the input of another run', async () => {
    const id = await makeWorkflow(account, {
      nodes: { 'last-1': script('tail -n 1 in/http-input-1/*') },
      inputs: { 'http-input-1': { type: 'FILE', label: 'numbers' } },
      edges: [['http-input-1/output', 'last-1/file']],
    });
    const body = JSON.stringify({ inputs: { numbers: `millrace://output/${output.id}` } });
    const started = await rawRequest(account, 'POST', `/api/workflows/${id}/runs`, { body });
    const run = await waitForEnd(account.client, String(started.body.id));
    expect(await readFilePort(account.client, run.id, 'last-1')).toBe('1000\n');
  });
});
