import { describe, expect, it } from '@jest/globals';
import { restartDelay } from './restart-delay.mjs';

describe('restartDelay', () => {
  it('is zero after the first death and then grows, up to five seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 40].map(restartDelay)).toEqual([0, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });
});
