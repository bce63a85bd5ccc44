import { expect, it } from '@jest/globals';
import { authorizationOf } from './token-source.js';

it('a token with a dot goes as Bearer, any other as Token', () => {
  expect(authorizationOf('aaa.bbb.ccc')).toBe('Bearer aaa.bbb.ccc');
  expect(authorizationOf('x'.repeat(40))).toBe(`Token ${'x'.repeat(40)}`);
});
