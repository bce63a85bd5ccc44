import { describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { authEnv } from '../env.js';
import { Authenticator } from './authenticator.js';

const env = authEnv.parse({
  NATS_URL: 'nats://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgresql://127.0.0.1/x',
  MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
});
const authenticator = new Authenticator(env);
const { secret, url, sealed } = authenticator.makeSecret('ada@example.org');
const NOON = Date.UTC(2026, 0, 1, 12);
const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });

describe('the secret of an authenticator app', () => {
  it('has 160 bits and is part of the link for the app', () => {
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const link = new URL(url);
    expect(link.href).toMatch(/^otpauth:\/\/totp\/Millrace:ada%40example\.org\?/);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      issuer: 'Millrace',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });

  it('is stored encrypted', () => {
    expect(Buffer.from(sealed).toString('latin1')).not.toContain(secret);
  });
});

describe('a code of an authenticator app', () => {
  it.each([
    ['is current', 0],
    ['is one step old', -30_000],
    ['is one step early', 30_000],
  ])('is valid if it %s', (_, offset) => {
    expect(authenticator.findStep(sealed, codeAt(NOON + offset), NOON)).toBe((NOON + offset) / 30_000);
  });

  it.each([-60_000, 60_000])('is not valid at a distance of %d ms from now', (offset) => {
    expect(authenticator.findStep(sealed, codeAt(NOON + offset), NOON)).toBeNull();
  });

  it('may be typed with a space', () => {
    const code = codeAt(NOON);
    expect(authenticator.findStep(sealed, ` ${code.slice(0, 3)} ${code.slice(3)}`, NOON)).toBe(NOON / 30_000);
  });

  it.each(['', '12345', '1234567', 'abcdef', '\0\0\0\0\0\0', '１２３４５６'])('is not valid as %j', (code) => {
    expect(authenticator.findStep(sealed, code, NOON)).toBeNull();
  });
});
