import { expect, it } from '@jest/globals';
import { forEachYielding } from './for-each-yielding.js';

/** Blocks the thread, as work does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('a long list is gone through in order, with turns of the event loop in between', async () => {
  const seen: (number | string)[] = [];
  const timer = setInterval(() => seen.push('turn'), 1);
  await forEachYielding([1, 2, 3, 4], (item) => {
    seen.push(item);
    work(12);
  });
  clearInterval(timer);
  expect(seen.filter((one) => one !== 'turn')).toEqual([1, 2, 3, 4]);
  expect(seen.slice(seen.indexOf(1), seen.indexOf(4))).toContain('turn');
});

it('a short list is gone through without a turn', async () => {
  let turned = false;
  setImmediate(() => (turned = true));
  await forEachYielding([1, 2, 3], () => undefined);
  expect(turned).toBe(false);
});

it('what the action throws ends it', async () => {
  const fail = () => {
    throw new Error('no');
  };
  await expect(forEachYielding([1], fail)).rejects.toThrow('no');
});
