import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { TokenBucket } from './token-bucket.js';

const TOKEN_MS = 50;
let batches: number[];
let bucket: TokenBucket;
const fetch =
  (available = Infinity) =>
  (number: number) => {
    batches.push(number);
    const granted = Math.min(number, available);
    return Promise.resolve({ granted, remaining: 100, fullInMs: available === 0 ? 10_000 : 1_000 });
  };
const fill = (available?: number) => bucket.fill(fetch(available));
const use = (number: number) => Array.from({ length: number }, () => bucket.take(Date.now())?.isAdmitted);

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'queueMicrotask'] });
  batches = [];
  bucket = new TokenBucket(8, TOKEN_MS, 200);
});
afterEach(() => {
  jest.useRealTimers();
});

it('a batch is twice the last one while that is used up, up to the maximum', async () => {
  for (const size of [1, 2, 4, 8, 8]) {
    await fill();
    expect(use(size + 1)).toEqual([...Array<boolean>(size).fill(true), undefined]);
  }
  expect(batches).toEqual([1, 2, 4, 8, 8]);
});

it('unused tokens expire after five seconds, and the next batch is as large as the part that was used', async () => {
  for (const size of [1, 2, 4]) {
    await fill();
    use(size);
  }
  await fill();
  use(3);
  jest.setSystemTime(1_005_000);
  expect(use(1)).toEqual([undefined]);
  await fill();
  jest.setSystemTime(1_010_000);
  await fill();
  expect(batches).toEqual([1, 2, 4, 8, 3, 1]);
});

it('concurrent calls share one batch', async () => {
  await Promise.all([fill(), fill(), fill()]);
  expect(batches).toEqual([1]);
});

it('a rejection lasts until the bucket gains a token', async () => {
  await fill(0);
  // Full in 10 s with 200 tokens of 50 ms: the first of them is available after 50 ms.
  expect(bucket.take(Date.now())).toMatchObject({ isAdmitted: false, remaining: 0, resetSeconds: 10, retrySeconds: 1 });
  jest.setSystemTime(1_000_000 + TOKEN_MS);
  expect(bucket.take(Date.now())).toBeUndefined();
});

it('a failed fetch rejects, and the next call fetches again', async () => {
  await expect(bucket.fill(() => Promise.reject(new Error('Redis is down')))).rejects.toThrow('Redis is down');
  await fill();
  expect(use(1)).toEqual([true]);
});
