import { describe, expect, it } from '@jest/globals';
import { checkPassword } from './check-password.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const email = 'Ada.Lovelace@example.org';

describe('a new password', () => {
  it.each([
    ['is common', 'qwertyuiop'],
    ['is common except for its case', 'PassWord123'],
    ['repeats one character', 'zzzzzzzzzzzz'],
    ['contains the name in the email address', 'my ADA.lovelace 1'],
  ])('is rejected if it %s', (_, password) => {
    expect(() => checkPassword(password, email)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { 'body.password': expect.any(String) } }),
    );
  });

  it.each(['correct horse battery', 'пароль-не-простой', '  two spaces  '])('may be "%s"', (password) => {
    expect(() => checkPassword(password, email)).not.toThrow();
  });

  it('may contain a name that is too short to check', () => {
    expect(() => checkPassword('barracuda swims', 'ada@example.org')).not.toThrow();
  });
});

it('the list of common passwords contains about a thousand passwords, each long enough to be chosen', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(950);
  for (const password of COMMON_PASSWORDS) {
    expect(password.length).toBeGreaterThanOrEqual(10);
    expect(password).toBe(password.toLowerCase());
  }
});
