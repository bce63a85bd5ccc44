import { expect, it } from '@jest/globals';
import { pause, retryDelay } from './retry-delay.js';

it('waits double, up to five seconds, of which half is chance', () => {
  expect([1, 2, 3, 10].map((attempt) => retryDelay(attempt, () => 1))).toEqual([200, 400, 800, 5000]);
  expect(retryDelay(3, () => 0)).toBe(400);
});

it('a wait ends when it is aborted', async () => {
  const controller = new AbortController();
  const waiting = pause(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(pause(60_000, controller.signal)).rejects.toThrow('enough');
});
