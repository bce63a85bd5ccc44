import { describe, expect, it } from '@jest/globals';
import { checkHealth } from './health.js';

describe('checkHealth', () => {
  it('is ok if every dependency responds', async () => {
    expect(await checkHealth({ postgres: () => Promise.resolve(1) })).toEqual({
      status: 'ok',
      checks: { postgres: 'ok' },
    });
  });

  it('names dependencies that fail or do not respond', async () => {
    const health = await checkHealth({
      postgres: () => Promise.reject(new Error('connection refused')),
      redis: () => new Promise(() => undefined),
      nats: () => Promise.resolve(),
    });
    expect(health).toEqual({
      status: 'unavailable',
      checks: { postgres: 'connection refused', redis: 'did not respond', nats: 'ok' },
    });
  });
});
