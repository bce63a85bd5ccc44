import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newSecret, signMessage } from './sign-message.js';

describe('a signature', () => {
  const at = new Date();

  it('is verified by Standard Webhooks for any body', () => {
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const secret = newSecret();
        const headers = signMessage({ id, at, body }, [secret]);
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(new Webhook(secret).sign(id, at, body)).toBe(headers['webhook-signature']);
      }),
    );
  });

  it('is rejected with another body, id, time or secret', () => {
    const secret = newSecret();
    const headers = signMessage({ id: 'a', at, body: '{"a":1}' }, [secret]);
    const verify = (changes: object, body = '{"a":1}', by = secret) =>
      new Webhook(by).verify(body, { ...headers, ...changes });
    expect(() => verify({})).not.toThrow();
    expect(() => verify({}, '{"a":2}')).toThrow();
    expect(() => verify({ 'webhook-id': 'b' })).toThrow();
    expect(() => verify({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })).toThrow();
    expect(() => verify({}, '{"a":1}', newSecret())).toThrow();
  });

  it('exists for each of two secrets', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signMessage({ id: 'a', at, body: '{}' }, secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
  });
});

it('a secret is whsec_ followed by 32 random bytes', () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
