import { expect, it, jest } from '@jest/globals';
import { VaultJobLimiter } from './vault-job-limiter.js';

/** Jobs that run until they are ended. */
function jobs(limiter: VaultJobLimiter) {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (vault: string, job: string) =>
    limiter.run(vault, job, () => {
      started.push(job);
      return new Promise((resolve) => running.set(job, resolve));
    });
  return { started, run, end: (job: string) => running.get(job)?.() };
}

it('the limiter runs jobs of a vault up to its limit, defers the others, and enqueues them individually', async () => {
  const enqueue = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const { started, run, end } = jobs(new VaultJobLimiter(2, enqueue));
  const [first] = [run('a', '1'), run('a', '2')];
  await Promise.all([run('a', '3'), run('a', '4'), run('a', '3')]);
  void run('b', '5');
  expect(started).toEqual(['1', '2', '5']);
  end('1');
  await first;
  expect(enqueue.mock.calls).toEqual([['a', '3']]);
  void run('a', '3');
  expect(started).toEqual(['1', '2', '5', '3']);
});

it('the limiter enqueues a job again that was enqueued while it was running', async () => {
  const enqueue = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const { started, run, end } = jobs(new VaultJobLimiter(2, enqueue));
  const first = run('a', '1');
  await run('a', '1');
  expect(started).toEqual(['1']);
  end('1');
  await first;
  expect(enqueue.mock.calls).toEqual([['a', '1']]);
});

it('the limiter enqueues the next job even if a job fails', async () => {
  const enqueue = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const limiter = new VaultJobLimiter(1, enqueue);
  const failing = limiter.run('a', '1', () => Promise.reject(new Error('no')));
  await limiter.run('a', '2', () => Promise.resolve());
  await expect(failing).rejects.toThrow('no');
  expect(enqueue.mock.calls).toEqual([['a', '2']]);
});

it('the limiter continues behind jobs without work and after a job could not be enqueued', async () => {
  const limiter: VaultJobLimiter = new VaultJobLimiter(1, (vault, job) => {
    if (refusals-- > 0) return Promise.reject(new Error('no'));
    return (void enqueued.push(limiter.run(vault, job, () => Promise.resolve(void done.push(job)))), Promise.resolve());
  });
  let refusals = 1;
  const [enqueued, done]: [Promise<void>[], string[]] = [[], []];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = limiter.run('a', '1', () => promise);
  for (const job of ['2', '3', '4']) await limiter.run('a', job, () => Promise.resolve());
  resolve();
  await expect(first).rejects.toThrow('no');
  await limiter.run('a', '1', () => Promise.resolve());
  while (enqueued.length > 0) await enqueued.shift();
  expect(done).toEqual(['3', '4', '2']);
});
