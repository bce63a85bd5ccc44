import { describe, expect, it } from '@jest/globals';
import { newId } from '@millrace/persistence/ids';
import { randomApiToken } from '../secrets/random-token.js';
import { RefreshTokens } from './refresh-tokens.js';

const tokens = new RefreshTokens({ MILLRACE_SECRET: 'secret of the tests, 32 characters at least' });
const others = new RefreshTokens({ MILLRACE_SECRET: 'another secret, also 32 characters at least' });

describe('an API token', () => {
  it('is 40 letters and digits, without the dot that would make it a JWT', () => {
    for (let i = 0; i < 100; i++) expect(randomApiToken()).toMatch(/^[A-Za-z0-9]{40}$/);
  });

  it('uses the whole alphabet', () => {
    const seen = new Set(Array.from({ length: 100 }, randomApiToken).join(''));
    expect(seen.size).toBe(62);
  });
});

describe('a refresh token', () => {
  const session = newId();

  it('identifies its session', () => {
    expect(tokens.sessionOf(tokens.make(session))).toBe(session);
    expect(tokens.make(session)).not.toBe(tokens.make(session));
  });

  it('that was never issued is invalid', () => {
    const [, secret = '', signature = ''] = tokens.make(session).split('.');
    for (const text of [
      `${newId()}.${secret}.${signature}`,
      `${session}.${secret.startsWith('x') ? 'y' : 'x'}${secret.slice(1)}.${signature}`,
      `${session}.${secret}.${signature.slice(1)}`,
      `${session}.${secret}`,
      `${session}.${secret}.${signature}.`,
      others.make(session),
    ]) {
      expect(tokens.sessionOf(text)).toBeNull();
    }
  });

  it.each(['', '.', 'nonsense', `${newId()}`, `${newId()}.`, `${newId()}.a.b`, 'x.y', 'ä.ö.ü'])(
    'is not parsed from "%s"',
    (text) => {
      expect(tokens.sessionOf(text)).toBeNull();
    },
  );
});
