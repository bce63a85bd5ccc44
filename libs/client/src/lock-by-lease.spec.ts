import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { lockByLease } from './lock-by-lease.js';
import { storageInMemory } from './testing/storage-in-memory.js';

const KEY = 'session.lock';

it('a lock by lease is held by one page at a time', async () => {
  const storage = storageInMemory();
  let working = 0;
  let maxWorking = 0;
  const work = async (page: number) => {
    working += 1;
    maxWorking = Math.max(maxWorking, working);
    await sleep(30);
    working -= 1;
    return page;
  };
  const pages = [1, 2, 3].map((page) => lockByLease(storage, KEY)(() => work(page)));
  expect(await Promise.all(pages)).toEqual([1, 2, 3]);
  expect(maxWorking).toBe(1);
});

it('a lock by lease is released after failed work', async () => {
  const storage = storageInMemory();
  const lock = lockByLease(storage, KEY);
  await expect(lock(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(storage.getItem(KEY)).toBeNull();
});

it.each([
  ['has ended', JSON.stringify({ owner: 'closed page', until: Date.now() - 1 })],
  ['ends far in the future', JSON.stringify({ owner: 'page with a wrong clock', until: Date.now() + 86_400_000 })],
  ['is damaged', '{'],
])('a stored lease that %s does not block the lock', async (_, lease) => {
  const storage = storageInMemory();
  storage.setItem(KEY, lease);
  expect(await lockByLease(storage, KEY)(() => Promise.resolve('done'))).toBe('done');
});
