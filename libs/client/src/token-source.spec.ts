import { expect, it } from '@jest/globals';
import { authorizationOf } from './token-source.js';

it('the Authorization header has the scheme Bearer for a token with a dot, and Token for any other token', () => {
  expect(authorizationOf('aaa.bbb.ccc')).toBe('Bearer aaa.bbb.ccc');
  expect(authorizationOf('x'.repeat(40))).toBe(`Token ${'x'.repeat(40)}`);
});
