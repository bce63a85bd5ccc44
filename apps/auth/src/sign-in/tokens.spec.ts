import { describe, expect, it } from '@jest/globals';
import { newId } from '@millrace/persistence/ids';
import { randomApiToken } from '../random-token.js';
import { makeRefreshToken, sessionOf } from './refresh-token.js';

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
  it('names its session', () => {
    const session = newId();
    expect(sessionOf(makeRefreshToken(session))).toBe(session);
    expect(makeRefreshToken(session)).not.toBe(makeRefreshToken(session));
  });

  it.each(['', '.', 'nonsense', `${newId()}`, `${newId()}.`, `${newId()}.a.b`, 'x.y'])('"%s" is none', (text) => {
    expect(sessionOf(text)).toBeNull();
  });
});
