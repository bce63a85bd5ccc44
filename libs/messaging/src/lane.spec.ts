import { describe, expect, it } from '@jest/globals';
import { Lane } from './lane.js';

describe('a lane', () => {
  it('works in order, in batches, and one batch at a time', async () => {
    const batches: number[][] = [];
    let busy = 0;
    const lane = new Lane<number>(3, async (batch) => {
      expect(++busy).toBe(1);
      batches.push(batch);
      await Promise.resolve();
      busy--;
    });
    for (let i = 0; i < 7; i++) lane.push(i);
    await lane.drained;
    expect(batches).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });

  it('takes up again what comes after it was empty', async () => {
    const seen: string[] = [];
    const lane = new Lane<string>(10, async (batch) => void seen.push(...batch));
    lane.push('a');
    await lane.drained;
    lane.push('b');
    await lane.drained;
    expect(seen).toEqual(['a', 'b']);
  });
});
