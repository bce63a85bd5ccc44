import { describe, expect, it } from '@jest/globals';
import { FairSemaphore } from './fair-semaphore.js';

/** Work that goes on until it is told to end. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('are no more at once than they may be, of one user and of all', async () => {
    const turns = new FairSemaphore({ total: 3, perUser: 2, reserved: 0, acquireTimeoutMs: 60_000 });
    const started: string[] = [];
    const works = ['a', 'a', 'a', 'b', 'b', 'c'].map((user) => {
      const { run, end } = work();
      const done = turns.run(user, () => {
        started.push(user);
        return run();
      });
      return { end, done };
    });
    await settle();
    expect(started).toEqual(['a', 'a', 'b']);
    expect(turns.hasFreePermit).toBe(false);
    works[0]?.end();
    await settle();
    expect(started).toEqual(['a', 'a', 'b', 'c']);
    for (const { end } of works) end();
    await Promise.all(works.map(({ done }) => done));
    expect(started.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
    expect(turns.hasFreePermit).toBe(true);
  });

  it('end for others when work fails', async () => {
    const turns = new FairSemaphore({ total: 1, perUser: 1, reserved: 0, acquireTimeoutMs: 60_000 });
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    const waiting = turns.run('b', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await waiting).toBe('done');
  });

  it('are refused to who has waited for too long, and lost to nobody by that', async () => {
    const turns = new FairSemaphore({ total: 1, perUser: 1, reserved: 0, acquireTimeoutMs: 1 });
    const { run, end } = work();
    const running = turns.run('a', run);
    await expect(turns.run('b', run)).rejects.toMatchObject({ code: 'rate_limited' });
    end();
    await running;
    expect(await turns.run('b', () => Promise.resolve('done'))).toBe('done');
  });

  it('are refused at once to who has a hundred waiting', async () => {
    const turns = new FairSemaphore({ total: 1, perUser: 1, reserved: 0, acquireTimeoutMs: 60_000 });
    const { run, end } = work();
    const all = Array.from({ length: 101 }, () => turns.run('a', run));
    await expect(turns.run('a', run)).rejects.toMatchObject({ code: 'rate_limited' });
    end();
    await Promise.all(all);
  });

  it('are kept for who has none, however many others want more', async () => {
    const turns = new FairSemaphore({ total: 4, perUser: 3, reserved: 1, acquireTimeoutMs: 60_000 });
    const { run, end } = work();
    const started: string[] = [];
    const ask = (user: string) =>
      turns.run(user, () => {
        started.push(user);
        return run();
      });
    const all = ['a', 'a', 'b', 'b', 'a'].map(ask);
    await settle();
    expect(started).toEqual(['a', 'a', 'b']);
    all.push(ask('c'));
    await settle();
    expect(started).toEqual(['a', 'a', 'b', 'c']);
    end();
    await Promise.all(all);
    expect(started.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  it('are refused with the true reason: too many of their own, or of all', async () => {
    const turns = new FairSemaphore({ total: 2, perUser: 1, reserved: 0, acquireTimeoutMs: 1 });
    const { run, end } = work();
    const running = [turns.run('a', run), turns.run('b', run)];
    await expect(turns.run('a', run)).rejects.toThrow('Too many of your requests');
    await expect(turns.run('c', run)).rejects.toThrow('Too many requests');
    end();
    await Promise.all(running);
  });
});
