import { expect, it } from '@jest/globals';
import { authorizationOf, fixedToken } from './token-source.js';

it('the Authorization header has the scheme Bearer for a token with a dot, and Token for any other token', () => {
  expect(authorizationOf('aaa.bbb.ccc')).toBe('Bearer aaa.bbb.ccc');
  expect(authorizationOf('x'.repeat(40))).toBe(`Token ${'x'.repeat(40)}`);
});

it('a token that HTTP does not permit is rejected without being shown', () => {
  for (const token of ['sec\nret', 'sec\0ret', 'sec\u2014ret']) {
    const message = 'The token contains a character that HTTP does not permit, such as a line break';
    expect(() => fixedToken(token)).toThrow(new TypeError(message));
  }
  expect(() => fixedToken('secret\n')).not.toThrow();
});
