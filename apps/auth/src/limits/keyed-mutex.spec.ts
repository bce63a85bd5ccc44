import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { KeyedMutex } from './keyed-mutex.js';

describe('a keyed mutex', () => {
  it('runs work with one key one at a time and in order, even if some of it fails', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await sleep(5);
      log.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
    };
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => mutex.runExclusive('key', work(name))));
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not block work with another key', async () => {
    const mutex = new KeyedMutex();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = mutex.runExclusive('slow', () => promise);
    await expect(mutex.runExclusive('other', () => Promise.resolve('done'))).resolves.toBe('done');
    resolve();
    await slow;
  });
});
