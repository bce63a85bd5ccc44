import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { WakeableLoop } from './wakeable-loop.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('WakeableLoop', () => {
  it('runs its action immediately, and again after the delay that the action returns', async () => {
    const action = jest.fn(() => Promise.resolve(100));
    const loop = new WakeableLoop('a', action);
    loop.start();
    await jest.advanceTimersByTimeAsync(250);
    expect(action).toHaveBeenCalledTimes(3);
    await loop.stop();
    await jest.advanceTimersByTimeAsync(250);
    expect(action).toHaveBeenCalledTimes(3);
  });

  it('runs its action again after five seconds at the latest', async () => {
    const action = jest.fn(() => Promise.resolve(Infinity));
    const loop = new WakeableLoop('a', action);
    loop.start();
    await jest.advanceTimersByTimeAsync(4_999);
    expect(action).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(action).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('ends its sleep when woken, and remembers a call that arrives during an iteration', async () => {
    const iterations: (() => void)[] = [];
    const action = jest.fn(() => new Promise<number>((resolve) => iterations.push(() => resolve(1_000))));
    const loop = new WakeableLoop('a', action);
    loop.start();
    loop.wake();
    loop.wake();
    expect(action).toHaveBeenCalledTimes(1);
    iterations[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(action).toHaveBeenCalledTimes(2);
    iterations[1]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(action).toHaveBeenCalledTimes(2);
    loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(action).toHaveBeenCalledTimes(3);
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(isStopped).toBe(false);
    iterations[2]?.();
    await stopped;
    expect(action).toHaveBeenCalledTimes(3);
  });

  it('logs a failure and runs again after a second', async () => {
    const logger = new Logger();
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const error = new Error('no');
    const action = jest.fn(() => Promise.reject<number>(error));
    const loop = new WakeableLoop('Dispatch', action, logger);
    loop.start();
    await jest.advanceTimersByTimeAsync(1_500);
    expect(action).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith({ message: 'Dispatch failed; retrying', error, retryInMs: 1_000 });
    await loop.stop();
  });
});
