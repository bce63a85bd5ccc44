import { expect, it, jest } from '@jest/globals';
import { VaultJobLimiter } from './vault-job-limiter.js';

/** Jobs that work until they are ended. */
function jobs(turns: VaultJobLimiter) {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (vault: string, job: string) =>
    turns.run(vault, job, () => {
      started.push(job);
      return new Promise((resolve) => running.set(job, resolve));
    });
  return { started, run, end: (job: string) => running.get(job)?.() };
}

it('the limiter runs jobs of a vault up to its limit, defers the others, and enqueues them individually', async () => {
  const order = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const { started, run, end } = jobs(new VaultJobLimiter(2, order));
  const [first] = [run('a', '1'), run('a', '2')];
  await Promise.all([run('a', '3'), run('a', '4'), run('a', '3')]);
  void run('b', '5');
  expect(started).toEqual(['1', '2', '5']);
  end('1');
  await first;
  expect(order.mock.calls).toEqual([['a', '3']]);
  void run('a', '3');
  expect(started).toEqual(['1', '2', '5', '3']);
});

it('the limiter enqueues a job again that was enqueued while it was running', async () => {
  const order = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const { started, run, end } = jobs(new VaultJobLimiter(2, order));
  const first = run('a', '1');
  await run('a', '1');
  expect(started).toEqual(['1']);
  end('1');
  await first;
  expect(order.mock.calls).toEqual([['a', '1']]);
});

it('the limiter enqueues the next job even if a job fails', async () => {
  const order = jest.fn((_vault: string, _job: string) => Promise.resolve());
  const turns = new VaultJobLimiter(1, order);
  const failing = turns.run('a', '1', () => Promise.reject(new Error('no')));
  await turns.run('a', '2', () => Promise.resolve());
  await expect(failing).rejects.toThrow('no');
  expect(order.mock.calls).toEqual([['a', '2']]);
});

it('the limiter continues behind jobs without work and after a job could not be enqueued', async () => {
  const turns: VaultJobLimiter = new VaultJobLimiter(1, (vault, job) => {
    if (refusals-- > 0) return Promise.reject(new Error('no'));
    return (void ordered.push(turns.run(vault, job, () => Promise.resolve(void done.push(job)))), Promise.resolve());
  });
  let refusals = 1;
  const [ordered, done]: [Promise<void>[], string[]] = [[], []];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.run('a', '1', () => promise);
  for (const job of ['2', '3', '4']) await turns.run('a', job, () => Promise.resolve());
  resolve();
  await expect(first).rejects.toThrow('no');
  await turns.run('a', '1', () => Promise.resolve());
  while (ordered.length > 0) await ordered.shift();
  expect(done).toEqual(['3', '4', '2']);
});
