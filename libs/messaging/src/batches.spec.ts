import { describe, expect, it } from '@jest/globals';
import { Batches } from './batches.js';

describe('batches', () => {
  it('take all items once and in order, more together while one batch takes its time', async () => {
    const taken: number[][] = [];
    const batches = new Batches<number>(
      async (batch) => {
        taken.push(batch);
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
      { most: 4 },
    );
    for (let item = 0; item < 10; item++) batches.push(item);
    await batches.settled();
    expect(taken.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(taken.map((batch) => batch.length)).toEqual([4, 4, 2]);
  });

  it('tell of a failure to whoever waits', async () => {
    const batches = new Batches<number>(() => Promise.reject(new Error('no')), { most: 1 });
    batches.push(1);
    await expect(batches.settled()).rejects.toThrow('no');
  });
});
