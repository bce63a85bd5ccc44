import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IntervalLoop } from './interval-loop.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('does its work once a period, and the first time at once where that is wanted', async () => {
  const [later, atOnce] = [jest.fn(() => Promise.resolve()), jest.fn(() => Promise.resolve())];
  const repeaters = [new IntervalLoop('a', 100, later), new IntervalLoop('b', 100, atOnce)];
  repeaters[0]?.start();
  repeaters[1]?.start({ atOnce: true });
  await jest.advanceTimersByTimeAsync(250);
  expect([later.mock.calls.length, atOnce.mock.calls.length]).toEqual([2, 3]);
  await Promise.all(repeaters.map((repeater) => repeater.stop()));
  await jest.advanceTimersByTimeAsync(250);
  expect([later.mock.calls.length, atOnce.mock.calls.length]).toEqual([2, 3]);
});

it('never has two turns at work, and waits for the last one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = jest.fn(() => promise);
  const repeater = new IntervalLoop('a', 100, work);
  repeater.start();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(work).toHaveBeenCalledTimes(1);
  let isStopped = false;
  const stopped = repeater.stop().then(() => (isStopped = true));
  await jest.advanceTimersByTimeAsync(100);
  expect(isStopped).toBe(false);
  resolve();
  await stopped;
});

it('says what failed, and goes on', async () => {
  const logger = new Logger();
  const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
  const error = new Error('no');
  const work = jest.fn(() => Promise.reject(error));
  const repeater = new IntervalLoop('Sweeping', 100, work, logger);
  repeater.start();
  await jest.advanceTimersByTimeAsync(250);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith({ message: 'Sweeping waits', error });
  await repeater.stop();
});
