import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IntervalLoop } from './interval-loop.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('IntervalLoop', () => {
  it('runs its action once per interval, and immediately if requested', async () => {
    const [delayed, immediate] = [jest.fn(() => Promise.resolve()), jest.fn(() => Promise.resolve())];
    const loops = [new IntervalLoop('a', 100, delayed), new IntervalLoop('b', 100, immediate)];
    loops[0]?.start();
    loops[1]?.start({ immediately: true });
    await jest.advanceTimersByTimeAsync(250);
    expect([delayed.mock.calls.length, immediate.mock.calls.length]).toEqual([2, 3]);
    await Promise.all(loops.map((loop) => loop.stop()));
    await jest.advanceTimersByTimeAsync(250);
    expect([delayed.mock.calls.length, immediate.mock.calls.length]).toEqual([2, 3]);
  });

  it('never overlaps iterations, and waits for the current one when it stops', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const action = jest.fn(() => promise);
    const loop = new IntervalLoop('a', 100, action);
    loop.start();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(action).toHaveBeenCalledTimes(1);
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(100);
    expect(isStopped).toBe(false);
    resolve();
    await stopped;
  });

  it('logs a failure and runs again after the interval', async () => {
    const logger = new Logger();
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const error = new Error('no');
    const action = jest.fn(() => Promise.reject(error));
    const loop = new IntervalLoop('Sweep', 100, action, logger);
    loop.start();
    await jest.advanceTimersByTimeAsync(250);
    expect(action).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith({ message: 'Sweep failed; retrying', error, retryInMs: 100 });
    await loop.stop();
  });
});
