import { expect, it } from '@jest/globals';
import { pause, retryDelay } from './retry-delay.js';

it('the delay before a retry doubles up to five seconds, and half of it is random', () => {
  expect([1, 2, 3, 10].map((attempt) => retryDelay(attempt, () => 1))).toEqual([200, 400, 800, 5000]);
  expect(retryDelay(3, () => 0)).toBe(400);
});

it('a pause ends when its signal is aborted', async () => {
  const controller = new AbortController();
  const pausing = pause(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(pausing).rejects.toThrow('enough');
  await expect(pause(60_000, controller.signal)).rejects.toThrow('enough');
});
