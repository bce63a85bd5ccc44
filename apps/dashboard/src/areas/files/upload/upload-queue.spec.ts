import { describe, expect, it } from '@jest/globals';
import { selectForList, summarizeUploads } from './summarize-uploads.js';
import { UploadQueue, type SendFile } from './upload-queue.js';

/** A sender whose uploads the test ends. */
function controlled() {
  const sending = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const send: SendFile = ({ path }, signal) =>
    new Promise<void>((resolve, reject) => {
      const ends = {
        resolve: () => {
          forget();
          resolve();
        },
        reject: (error: Error) => {
          forget();
          reject(error);
        },
      };
      const forget = () => sending.get(path) === ends && sending.delete(path);
      sending.set(path, ends);
      signal.addEventListener('abort', () => ends.reject(signal.reason as Error));
    });
  const queue = new UploadQueue(send, () => undefined);
  const statuses = () => Object.fromEntries(queue.uploads.map(({ path, status }) => [path, status]));
  return { queue, sending, statuses };
}

const items = (...paths: string[]) => paths.map((path) => ({ path, content: new Blob([path]) }));
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('UploadQueue', () => {
  it('sends three files at a time, in their order', async () => {
    const { queue, sending, statuses } = controlled();
    queue.add(items('a', 'b', 'c', 'd', 'e'));
    expect([...sending.keys()]).toEqual(['a', 'b', 'c']);
    sending.get('b')?.resolve();
    await settle();
    expect([...sending.keys()]).toEqual(['a', 'c', 'd']);
    expect(statuses()).toEqual({ a: 'sending', b: 'done', c: 'sending', d: 'sending', e: 'waiting' });
  });

  it('a failure keeps its error and does not stop the others', async () => {
    const { queue, sending, statuses } = controlled();
    queue.add(items('a', 'b'));
    sending.get('a')?.reject(new Error('full'));
    sending.get('b')?.resolve();
    await settle();
    expect(statuses()).toEqual({ a: 'failed', b: 'done' });
    expect(queue.uploads[0]?.error).toEqual(new Error('full'));
    queue.retryFailed();
    expect(statuses()).toEqual({ a: 'sending', b: 'done' });
    expect(queue.uploads[0]?.error).toBeUndefined();
  });

  it('a cancelled upload is aborted, and makes room for the next one', async () => {
    const { queue, sending, statuses } = controlled();
    queue.add(items('a', 'b', 'c', 'd', 'e'));
    queue.cancel(1);
    queue.cancel(5);
    await settle();
    expect([...sending.keys()]).toEqual(['b', 'c', 'd']);
    expect(statuses()).toMatchObject({ a: 'cancelled', d: 'sending', e: 'cancelled' });
  });

  it('a cancelled upload that is retried at once is sent', async () => {
    const { queue, sending, statuses } = controlled();
    queue.add(items('a'));
    queue.cancel(1);
    queue.retry(1);
    await settle();
    expect(statuses()).toEqual({ a: 'sending' });
    sending.get('a')?.resolve();
    await settle();
    expect(statuses()).toEqual({ a: 'done' });
  });

  it('clear forgets what has ended', async () => {
    const { queue, sending, statuses } = controlled();
    queue.add(items('a', 'b'));
    sending.get('a')?.resolve();
    await settle();
    queue.clear();
    expect(statuses()).toEqual({ b: 'sending' });
    queue.cancelAll();
    await settle();
    queue.clear();
    expect(queue.uploads).toEqual([]);
  });
});

it('a summary counts bytes without cancelled uploads', () => {
  const uploads = [
    { id: 1, path: 'a', size: 10, loaded: 10, status: 'done' as const },
    { id: 2, path: 'b', size: 30, loaded: 5, status: 'sending' as const },
    { id: 3, path: 'c', size: 99, loaded: 50, status: 'cancelled' as const },
    { id: 4, path: 'd', size: 7, loaded: 0, status: 'failed' as const },
  ];
  expect(summarizeUploads(uploads)).toMatchObject({ totalBytes: 47, loadedBytes: 15, isActive: true });
  expect(selectForList(uploads, 3).map(({ path }) => path)).toEqual(['d', 'b', 'c']);
});
