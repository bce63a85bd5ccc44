import { expect, it } from '@jest/globals';
import { forEachYielding } from './time-slice.js';

/** Blocks the thread, like long synchronous work. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('forEachYielding processes a long list in order and yields to the event loop in between', async () => {
  const steps: (number | string)[] = [];
  const timer = setInterval(() => steps.push('yield'), 1);
  await forEachYielding([1, 2, 3, 4], (item) => {
    steps.push(item);
    block(12);
  });
  clearInterval(timer);
  expect(steps.filter((step) => step !== 'yield')).toEqual([1, 2, 3, 4]);
  expect(steps.slice(steps.indexOf(1), steps.indexOf(4))).toContain('yield');
});

it('forEachYielding processes a short list without yielding', async () => {
  let hasYielded = false;
  setImmediate(() => (hasYielded = true));
  await forEachYielding([1, 2, 3], () => undefined);
  expect(hasYielded).toBe(false);
});

it('forEachYielding stops if the action throws', async () => {
  const fail = () => {
    throw new Error('no');
  };
  await expect(forEachYielding([1], fail)).rejects.toThrow('no');
});
