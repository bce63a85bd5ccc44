import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { WakeableLoop } from './wakeable-loop.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('does its work at once, and again after as long as that says there is nothing to do', async () => {
  const work = jest.fn(() => Promise.resolve(100));
  const clock = new WakeableLoop('a', work);
  clock.start();
  await jest.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(3);
  await clock.stop();
  await jest.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(3);
});

it('looks again in five seconds where there is nothing to wait for', async () => {
  const work = jest.fn(() => Promise.resolve(Infinity));
  const clock = new WakeableLoop('a', work);
  clock.start();
  await jest.advanceTimersByTimeAsync(4_999);
  expect(work).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await clock.stop();
});

it('is woken from its sleep, and by what comes while it works', async () => {
  const turns: (() => void)[] = [];
  const work = jest.fn(() => new Promise<number>((resolve) => turns.push(() => resolve(1_000))));
  const clock = new WakeableLoop('a', work);
  clock.start();
  clock.wake();
  clock.wake();
  expect(work).toHaveBeenCalledTimes(1);
  turns[0]?.();
  await jest.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(2);
  turns[1]?.();
  await jest.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(2);
  clock.wake();
  await jest.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(3);
  let isStopped = false;
  const stopped = clock.stop().then(() => (isStopped = true));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(isStopped).toBe(false);
  turns[2]?.();
  await stopped;
  expect(work).toHaveBeenCalledTimes(3);
});

it('says what failed, and tries again after a second', async () => {
  const logger = new Logger();
  const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
  const error = new Error('no');
  const work = jest.fn(() => Promise.reject<number>(error));
  const clock = new WakeableLoop('Taking what is due', work, logger);
  clock.start();
  await jest.advanceTimersByTimeAsync(1_500);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith({ message: 'Taking what is due waits', error });
  await clock.stop();
});
