import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Turns } from './keyed-mutex.js';

describe('turns', () => {
  it('run work of one key one at a time, in order, though some of it fails', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const work = (name: string) => async () => {
      told.push(`${name} begins`);
      await sleep(5);
      told.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
    };
    const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take('key', work(name))));
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('do not hold up another key', async () => {
    const turns = new Turns();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = turns.take('slow', () => promise);
    await expect(turns.take('other', () => Promise.resolve('done'))).resolves.toBe('done');
    resolve();
    await slow;
  });
});
