import { expect, it } from '@jest/globals';
import { runChecks } from './run-checks.js';

it('runChecks names dependencies that fail or do not respond', async () => {
  const outcomes = await runChecks({
    postgres: () => Promise.reject(new Error('connection refused')),
    redis: () => new Promise(() => undefined),
    storage: () => Promise.reject(new Error('')),
    nats: () => Promise.resolve(),
  });
  expect(outcomes).toEqual({
    postgres: 'connection refused',
    redis: 'did not respond',
    storage: 'failed',
    nats: 'ok',
  });
});
