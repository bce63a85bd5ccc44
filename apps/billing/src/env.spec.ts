import { expect, it } from '@jest/globals';
import { readEnv } from '@millrace/service/env';
import { billingEnv } from './env.js';

const SERVERS = {
  NATS_URL: 'nats://127.0.0.1:4222',
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
};
const read = (given: Record<string, string>) => readEnv('billing', billingEnv, { ...SERVERS, ...given });

it('cards are local where nothing is said', () => {
  expect(read({})).toMatchObject({ PAYMENT_PROVIDER: 'local' });
  expect(read({ PAYMENT_PROVIDER: '', STRIPE_SECRET_KEY: '' })).toMatchObject({ PAYMENT_PROVIDER: 'local' });
});

it('Stripe wants its key, and is at its own address unless another is named', () => {
  expect(() => read({ PAYMENT_PROVIDER: 'stripe' })).toThrow('STRIPE_SECRET_KEY: is needed');
  const env = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test' };
  expect(read(env)).toMatchObject({ ...env, STRIPE_API_BASE: 'https://api.stripe.com' });
});

it.each(['http://stripe.example.org', 'ftp://127.0.0.1', 'nonsense'])('cards do not travel to %s', (base) => {
  expect(() => read({ STRIPE_API_BASE: base })).toThrow('STRIPE_API_BASE');
});

it('a provider that nobody knows is refused', () => {
  expect(() => read({ PAYMENT_PROVIDER: 'paper' })).toThrow('PAYMENT_PROVIDER');
});
