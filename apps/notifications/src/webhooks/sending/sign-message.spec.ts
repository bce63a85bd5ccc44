import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newSecret, signMessage } from './sign-message.js';

describe('a signature', () => {
  const at = new Date();

  it('is what Standard Webhooks verifies, whatever the body', () => {
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const secret = newSecret();
        const headers = signMessage({ id, at, body }, [secret]);
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(new Webhook(secret).sign(id, at, body)).toBe(headers['webhook-signature']);
      }),
    );
  });

  it('is refused with another body, id, time or secret', () => {
    const secret = newSecret();
    const headers = signMessage({ id: 'a', at, body: '{"a":1}' }, [secret]);
    const verify = (given: object, body = '{"a":1}', by = secret) =>
      new Webhook(by).verify(body, { ...headers, ...given });
    expect(() => verify({})).not.toThrow();
    expect(() => verify({}, '{"a":2}')).toThrow();
    expect(() => verify({ 'webhook-id': 'b' })).toThrow();
    expect(() => verify({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })).toThrow();
    expect(() => verify({}, '{"a":1}', newSecret())).toThrow();
  });

  it('is there for each of two secrets', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signMessage({ id: 'a', at, body: '{}' }, secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
  });
});

it('secrets are 32 random bytes after whsec_', () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
