import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { showProgress } from './show-progress.mjs';

it('without a terminal the progress is written as plain lines at intervals', async () => {
  /** @type {string[]} */
  const written = [];
  const stream = /** @type {NodeJS.WriteStream} */ (
    /** @type {unknown} */ ({ isTTY: false, write: (/** @type {string} */ text) => written.push(text) })
  );
  let done = 0;
  const stop = showProgress(() => `${done} of 10`, { stream, plainEveryMs: 5 });
  while (written.length === 0) await sleep(1);
  done = 7;
  while (!written.at(-1)?.includes('7 of 10')) await sleep(1);
  stop();
  expect(written[0]).toMatch(/^ {4}0 of 10, 0\.\d s\n$/);
});
