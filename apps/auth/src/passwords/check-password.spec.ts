import { describe, expect, it } from '@jest/globals';
import { checkPassword } from './check-password.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const email = 'Ada.Lovelace@example.org';

describe('a new password', () => {
  it.each([
    ['is common', 'qwertyuiop'],
    ['is common but for its case', 'PassWord123'],
    ['is one character again and again', 'zzzzzzzzzzzz'],
    ['holds the name in the email address', 'my ADA.lovelace 1'],
  ])('is refused where it %s', (_, password) => {
    expect(() => checkPassword(password, email)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { 'body.password': expect.any(String) } }),
    );
  });

  it.each(['correct horse battery', 'пароль-не-простой', '  two spaces  '])('may be "%s"', (password) => {
    expect(() => checkPassword(password, email)).not.toThrow();
  });

  it('may hold a name so short that it stands in many words', () => {
    expect(() => checkPassword('barracuda swims', 'ada@example.org')).not.toThrow();
  });
});

it('the list holds about a thousand passwords, each long enough to be chosen at all', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(950);
  for (const password of COMMON_PASSWORDS) {
    expect(password.length).toBeGreaterThanOrEqual(10);
    expect(password).toBe(password.toLowerCase());
  }
});
