import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

describe('batches', () => {
  it('take all items once and in order, more together while one batch takes its time', async () => {
    const taken: number[][] = [];
    const batches = new Batcher<number>(
      async (batch) => {
        taken.push(batch);
        await sleep(5);
      },
      { most: 4 },
    );
    for (let item = 0; item < 10; item++) batches.push(item);
    await batches.settled();
    expect(taken.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(taken.map((batch) => batch.length)).toEqual([4, 4, 2]);
  });

  it('tell of a failure to whoever waits', async () => {
    const batches = new Batcher<number>(() => Promise.reject(new Error('no')), { most: 1 });
    batches.push(1);
    await expect(batches.settled()).rejects.toThrow('no');
  });
});

describe('paced batches', () => {
  const paced = (paceMs: number, most = 3) => {
    const taken: number[][] = [];
    const batches = new Batcher<number>((batch) => Promise.resolve(void taken.push(batch)), { most, paceMs });
    return { taken, batches };
  };

  it('start at once after a pause, and gather what comes until the next is due', async () => {
    const { taken, batches } = paced(500);
    batches.push(1);
    await sleep(5);
    expect(taken).toEqual([[1]]);
    batches.push(2);
    await sleep(5);
    batches.push(3);
    expect(taken).toEqual([[1]]);
    await sleep(600);
    expect(taken).toEqual([[1], [2, 3]]);
  });

  it('do not wait once they are full', async () => {
    const { taken, batches } = paced(60_000);
    for (const item of [1, 2]) {
      batches.push(item);
      await sleep(1);
    }
    batches.push(3);
    batches.push(4);
    await sleep(5);
    expect(taken).toEqual([[1], [2, 3, 4]]);
    batches.push(5);
    await batches.settled();
  });

  it('do not wait once somebody waits for their end', async () => {
    const { taken, batches } = paced(60_000);
    batches.push(1);
    await sleep(1);
    batches.push(2);
    await batches.settled();
    expect(taken).toEqual([[1], [2]]);
  });
});
