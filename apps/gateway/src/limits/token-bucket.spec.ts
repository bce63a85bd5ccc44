import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Bucket } from './token-bucket.js';

const TOKEN_MS = 50;
let wanted: number[];
let bucket: Bucket;
const fetch =
  (available = Infinity) =>
  (number: number) => {
    wanted.push(number);
    const granted = Math.min(number, available);
    return Promise.resolve({ granted, remaining: 100, fullInMs: available === 0 ? 10_000 : 1_000 });
  };
const fill = (available?: number) => bucket.fill(fetch(available));
const use = (number: number) => Array.from({ length: number }, () => bucket.take(Date.now())?.isAdmitted);

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'queueMicrotask'] });
  wanted = [];
  bucket = new Bucket(8, TOKEN_MS, 200);
});
afterEach(() => {
  jest.useRealTimers();
});

it('lots double while they are used up, to the largest', async () => {
  for (const lot of [1, 2, 4, 8, 8]) {
    await fill();
    expect(use(lot + 1)).toEqual([...Array<boolean>(lot).fill(true), undefined]);
  }
  expect(wanted).toEqual([1, 2, 4, 8, 8]);
});

it('what is left of a lot lapses after five seconds, and the next is as large as what was used', async () => {
  for (const lot of [1, 2, 4]) {
    await fill();
    use(lot);
  }
  await fill();
  use(3);
  jest.setSystemTime(1_005_000);
  expect(use(1)).toEqual([undefined]);
  await fill();
  jest.setSystemTime(1_010_000);
  await fill();
  expect(wanted).toEqual([1, 2, 4, 8, 3, 1]);
});

it('who comes while a lot is fetched waits for the same one', async () => {
  await Promise.all([fill(), fill(), fill()]);
  expect(wanted).toEqual([1]);
});

it('a refusal stands until there is a token again', async () => {
  await fill(0);
  // Full in 10 s with 200 tokens of 50 ms: the first of them is there after 50 ms.
  expect(bucket.take(Date.now())).toMatchObject({ isAdmitted: false, remaining: 0, resetSeconds: 10, retrySeconds: 1 });
  jest.setSystemTime(1_000_000 + TOKEN_MS);
  expect(bucket.take(Date.now())).toBeUndefined();
});

it('a failure to fetch is told, and the next tries again', async () => {
  await expect(bucket.fill(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await fill();
  expect(use(1)).toEqual([true]);
});
