import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('processes every item once and in order, in larger batches while one is slow', async () => {
    const processed: number[][] = [];
    const batcher = new Batcher<number>(
      async (batch) => {
        processed.push(batch);
        await sleep(5);
      },
      { maxItems: 4 },
    );
    for (let item = 0; item < 10; item++) batcher.push(item);
    await batcher.settled();
    expect(processed.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(processed.map((batch) => batch.length)).toEqual([4, 4, 2]);
  });

  it('rejects `settled` if a batch fails', async () => {
    const batcher = new Batcher<number>(() => Promise.reject(new Error('no')), { maxItems: 1 });
    batcher.push(1);
    await expect(batcher.settled()).rejects.toThrow('no');
  });
});

describe('Batcher with a minimum interval', () => {
  const recordBatches = (minIntervalMs: number, maxItems = 3) => {
    const processed: number[][] = [];
    const batcher = new Batcher<number>((batch) => Promise.resolve(void processed.push(batch)), {
      maxItems,
      minIntervalMs,
    });
    return { processed, batcher };
  };

  it('starts at once after a pause, and collects items until the next batch is due', async () => {
    const { processed, batcher } = recordBatches(500);
    batcher.push(1);
    await sleep(5);
    expect(processed).toEqual([[1]]);
    batcher.push(2);
    await sleep(5);
    batcher.push(3);
    expect(processed).toEqual([[1]]);
    await sleep(600);
    expect(processed).toEqual([[1], [2, 3]]);
  });

  it('does not wait if a batch is full', async () => {
    const { processed, batcher } = recordBatches(60_000);
    for (const item of [1, 2]) {
      batcher.push(item);
      await sleep(1);
    }
    batcher.push(3);
    batcher.push(4);
    await sleep(5);
    expect(processed).toEqual([[1], [2, 3, 4]]);
    batcher.push(5);
    await batcher.settled();
  });

  it('does not wait while it is being settled', async () => {
    const { processed, batcher } = recordBatches(60_000);
    batcher.push(1);
    await sleep(1);
    batcher.push(2);
    await batcher.settled();
    expect(processed).toEqual([[1], [2]]);
  });
});

describe('Batcher with a delay', () => {
  it('waits for items after the first, but neither for a full batch nor while it is settled', async () => {
    const processed: number[][] = [];
    const record = (batch: number[]) => Promise.resolve(void processed.push(batch));
    const batcher = new Batcher<number>(record, { maxItems: 3, delayMs: 60_000 });
    batcher.push(1);
    await sleep(10);
    expect(processed).toEqual([]);
    batcher.push(2);
    batcher.push(3);
    await sleep(10);
    expect(processed).toEqual([[1, 2, 3]]);
    batcher.push(4);
    await batcher.settled();
    expect(processed).toEqual([[1, 2, 3], [4]]);
  });
});
