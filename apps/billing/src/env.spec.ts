import { expect, it } from '@jest/globals';
import { readEnv } from '@millrace/service/startup/env';
import { billingEnv } from './env.js';

const SERVERS = {
  NATS_URL: 'nats://127.0.0.1:4222',
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
};
const read = (settings: Record<string, string>) => readEnv('billing', billingEnv, { ...SERVERS, ...settings });

it('the payment provider defaults to local', () => {
  expect(read({})).toMatchObject({ PAYMENT_PROVIDER: 'local' });
  expect(read({ PAYMENT_PROVIDER: '', STRIPE_SECRET_KEY: '' })).toMatchObject({ PAYMENT_PROVIDER: 'local' });
});

it('the provider stripe requires its key and defaults to the public API', () => {
  expect(() => read({ PAYMENT_PROVIDER: 'stripe' })).toThrow(
    'STRIPE_SECRET_KEY is required if PAYMENT_PROVIDER is stripe',
  );
  const env = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test' };
  expect(read(env)).toMatchObject({ ...env, STRIPE_API_BASE: 'https://api.stripe.com' });
});

it.each(['http://stripe.example.org', 'ftp://127.0.0.1', 'nonsense'])('STRIPE_API_BASE refuses %s', (base) => {
  expect(() => read({ STRIPE_API_BASE: base })).toThrow('STRIPE_API_BASE');
});

it('an unknown payment provider is refused', () => {
  expect(() => read({ PAYMENT_PROVIDER: 'paper' })).toThrow('PAYMENT_PROVIDER');
});
