import { expect, it } from '@jest/globals';
import { AllowList } from './allow-list.js';

it.each([
  ['', '127.0.0.1', 'localhost', false],
  ['*', '127.0.0.1', 'localhost', true],
  ['localhost', '127.0.0.1', 'LOCALHOST.', true],
  ['localhost', '127.0.0.1', 'evil.example.org', false],
  ['10.1.0.0/16', '10.1.2.3', 'files.internal', true],
  ['10.1.0.0/16', '10.2.2.3', 'files.internal', false],
  ['10.1.0.0/16', '::ffff:10.1.2.3', 'files.internal', true],
  ['10.1.2.3, fd00::/8', 'fd12::1', 'x', true],
  ['10.1.2.3', '10.1.2.4', 'x', false],
  ['files.internal', '10.0.0.1', 'sub.files.internal', false],
])('AllowList "%s" on address %s of host %s returns %p', (text, address, host, expected) => {
  expect(AllowList.read(text).allows(address, host)).toBe(expected);
});

it.each(['10.0.0.0/40', 'a b', 'http://x', '*.example.org'])('AllowList rejects the entry %s', (entry) => {
  expect(() => AllowList.read(`localhost,${entry}`)).toThrow(entry);
});
