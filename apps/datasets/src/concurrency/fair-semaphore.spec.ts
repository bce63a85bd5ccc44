import { describe, expect, it } from '@jest/globals';
import { FairSemaphore } from './fair-semaphore.js';

/** Work that runs until `end` is called. */
function startableWork() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('FairSemaphore', () => {
  it('limits how much work runs at the same time, per user and in total', async () => {
    const semaphore = new FairSemaphore({
      permits: 3,
      permitsPerUser: 2,
      reservedPermits: 0,
      acquireTimeoutMs: 60_000,
    });
    const started: string[] = [];
    const works = ['a', 'a', 'a', 'b', 'b', 'c'].map((user) => {
      const { run, end } = startableWork();
      const done = semaphore.run(user, () => {
        started.push(user);
        return run();
      });
      return { end, done };
    });
    await settle();
    expect(started).toEqual(['a', 'a', 'b']);
    expect(semaphore.hasFreePermit).toBe(false);
    works[0]?.end();
    await settle();
    expect(started).toEqual(['a', 'a', 'b', 'c']);
    for (const { end } of works) end();
    await Promise.all(works.map(({ done }) => done));
    expect(started.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
    expect(semaphore.hasFreePermit).toBe(true);
  });

  it('releases the permit of work that fails', async () => {
    const semaphore = new FairSemaphore({
      permits: 1,
      permitsPerUser: 1,
      reservedPermits: 0,
      acquireTimeoutMs: 60_000,
    });
    const failing = semaphore.run('a', () => Promise.reject(new Error('broken')));
    const waiting = semaphore.run('b', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await waiting).toBe('done');
  });

  it('refuses a waiter after the timeout without losing a permit', async () => {
    const semaphore = new FairSemaphore({ permits: 1, permitsPerUser: 1, reservedPermits: 0, acquireTimeoutMs: 1 });
    const { run, end } = startableWork();
    const running = semaphore.run('a', run);
    await expect(semaphore.run('b', run)).rejects.toMatchObject({ code: 'rate_limited' });
    end();
    await running;
    expect(await semaphore.run('b', () => Promise.resolve('done'))).toBe('done');
  });

  it('refuses a user who has 100 waiters without waiting', async () => {
    const semaphore = new FairSemaphore({
      permits: 1,
      permitsPerUser: 1,
      reservedPermits: 0,
      acquireTimeoutMs: 60_000,
    });
    const { run, end } = startableWork();
    const all = Array.from({ length: 101 }, () => semaphore.run('a', run));
    await expect(semaphore.run('a', run)).rejects.toMatchObject({ code: 'rate_limited' });
    end();
    await Promise.all(all);
  });

  it('keeps reserved permits for users who hold none', async () => {
    const semaphore = new FairSemaphore({
      permits: 4,
      permitsPerUser: 3,
      reservedPermits: 1,
      acquireTimeoutMs: 60_000,
    });
    const { run, end } = startableWork();
    const started: string[] = [];
    const start = (user: string) =>
      semaphore.run(user, () => {
        started.push(user);
        return run();
      });
    const all = ['a', 'a', 'b', 'b', 'a'].map(start);
    await settle();
    expect(started).toEqual(['a', 'a', 'b']);
    all.push(start('c'));
    await settle();
    expect(started).toEqual(['a', 'a', 'b', 'c']);
    end();
    await Promise.all(all);
    expect(started.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  it("names the limit that was reached: the user's own or the total", async () => {
    const semaphore = new FairSemaphore({ permits: 2, permitsPerUser: 1, reservedPermits: 0, acquireTimeoutMs: 1 });
    const { run, end } = startableWork();
    const running = [semaphore.run('a', run), semaphore.run('b', run)];
    await expect(semaphore.run('a', run)).rejects.toThrow(
      'Too many of your requests to Live Tables are running. Wait until one has finished.',
    );
    await expect(semaphore.run('c', run)).rejects.toThrow(
      'Too many requests to Live Tables are running. Try again in a few seconds.',
    );
    end();
    await Promise.all(running);
  });
});
