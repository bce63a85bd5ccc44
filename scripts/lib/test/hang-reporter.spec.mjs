import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import HangReporter from './hang-reporter.mjs';

/** @param {number} minutes */
function watch(minutes) {
  /** @type {string[]} */
  const ended = [];
  const reporter = new HangReporter(
    {},
    { minutes },
    { end: (message) => void ended.push(message), checkIntervalMs: 1 },
  );
  reporter.onRunStart();
  return { reporter, ended };
}

it('a run is ended once if a suite takes too long, and the message names it', async () => {
  const { reporter, ended } = watch(0);
  reporter.onTestFileStart({ path: '/quick.spec.ts' });
  reporter.onTestFileResult({ path: '/quick.spec.ts' });
  reporter.onTestFileStart({ path: '/hanging.spec.ts' });
  while (ended.length === 0) await sleep(1);
  await sleep(20);
  expect(ended).toEqual([expect.stringMatching(/^FAILED: .*: \/hanging\.spec\.ts$/)]);
});

it('a run continues if its suites end in time', async () => {
  const { reporter, ended } = watch(10);
  reporter.onTestFileStart({ path: '/a.spec.ts' });
  await sleep(20);
  reporter.onTestFileResult({ path: '/a.spec.ts' });
  reporter.onRunComplete();
  expect(ended).toEqual([]);
});
