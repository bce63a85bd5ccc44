import { expect, it } from '@jest/globals';
import { readExpiry } from './sign-in-by-device.js';

const jwt = (payload: string) => `e30.${Buffer.from(payload).toString('base64url')}.s`;

it('readExpiry returns the end of a JWT', () => {
  expect(readExpiry(jwt('{"exp":1893456000}'))).toBe('2030-01-01T00:00:00.000Z');
});

it.each(['', 'opaque', 'a.b.c', jwt('{}'), jwt('{"exp":"soon"}'), jwt('{"exp":99999999999999999}')])(
  'readExpiry returns a time in the past for a token without a readable end (%s)',
  (token) => {
    expect(readExpiry(token)).toBe('1970-01-01T00:00:00.000Z');
  },
);
