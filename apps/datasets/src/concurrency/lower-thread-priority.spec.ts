import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';

/** A thread takes JavaScript. */
const MODULE = new URL('../../dist/concurrency/lower-thread-priority.js', import.meta.url);
const PROGRAM = `
  const { readFileSync } = require('node:fs');
  const nice = () => readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1].split(' ')[16];
  import('${MODULE.href}').then(({ giveWay }) => {
    giveWay();
    require('node:worker_threads').parentPort.postMessage(nice());
  });`;

it('makes a thread nicer than its process', async () => {
  const before = getPriority();
  const [nice] = (await once(new Worker(PROGRAM, { eval: true }), 'message')) as [string];
  expect(Number(nice)).toBeGreaterThan(before);
  expect(getPriority()).toBe(before);
});
