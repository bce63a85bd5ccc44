import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

/** A worker thread runs JavaScript only, so the test imports the built module. */
const MODULE = new URL('../../dist/concurrency/lower-thread-priority.js', import.meta.url);
const PROGRAM = `
  const { readFileSync } = require('node:fs');
  const readNice = () => readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1].split(' ')[16];
  import('${MODULE.href}').then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    require('node:worker_threads').parentPort.postMessage(readNice());
  });`;

describe('lowerThreadPriority', () => {
  it('raises the nice value of the calling thread and not of its process', async () => {
    const before = getPriority();
    const [nice] = (await once(new Worker(PROGRAM, { eval: true }), 'message')) as [string];
    expect(Number(nice)).toBeGreaterThan(before);
    expect(getPriority()).toBe(before);
  });
});
