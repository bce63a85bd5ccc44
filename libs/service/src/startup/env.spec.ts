import { describe, expect, it } from '@jest/globals';
import { databaseEnv, readEnv } from './env.js';

const good = {
  NATS_URL: 'nats://localhost:4222',
  REDIS_URL: 'redis://localhost',
  DATABASE_URL: 'postgresql://localhost/x',
  MILLRACE_SECRET: 'x'.repeat(32),
};

describe('readEnv', () => {
  it('applies defaults and ignores empty variables', () => {
    expect(readEnv('auth', databaseEnv, { ...good, LOG_LEVEL: '' })).toMatchObject({
      LOG_LEVEL: 'info',
      DATABASE_CONNECTIONS: 10,
    });
  });

  it('reports every problem at once', () => {
    const read = () => readEnv('auth', databaseEnv, { NATS_URL: 'here', MILLRACE_SECRET: 'short' });
    expect(read).toThrow(/auth[^]*NATS_URL[^]*REDIS_URL[^]*MILLRACE_SECRET[^]*DATABASE_URL/);
  });

  it('prefers the password of the service if several services share a process', () => {
    const source = { ...good, NATS_PASSWORD: 'all', NATS_PASSWORD_AUTH: 'own' };
    expect(readEnv('auth', databaseEnv, source).NATS_PASSWORD).toBe('own');
    expect(readEnv('runs', databaseEnv, source).NATS_PASSWORD).toBe('all');
  });
});
