import { describe, expect, it } from '@jest/globals';
import { checkHealth } from './health.js';

describe('health', () => {
  it('is good when all that is needed answers', async () => {
    expect(await checkHealth({ postgres: () => Promise.resolve(1) })).toEqual({
      status: 'ok',
      checks: { postgres: 'ok' },
    });
  });

  it('names what fails, and what does not answer', async () => {
    const health = await checkHealth({
      postgres: () => Promise.reject(new Error('connection refused')),
      redis: () => new Promise(() => undefined),
      nats: () => Promise.resolve(),
    });
    expect(health).toEqual({
      status: 'unavailable',
      checks: { postgres: 'connection refused', redis: 'did not answer', nats: 'ok' },
    });
  });
});
