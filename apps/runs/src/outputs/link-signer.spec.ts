import { describe, expect, it } from '@jest/globals';
import { LinkSigner } from './link-signer.js';
import { prettySize } from './to-output.js';

const signer = new LinkSigner('a secret of some length, at least');
const soon = Date.now() + 60_000;

describe('a signed link', () => {
  it('is valid only for the output and time that were signed', () => {
    expect(signer.isValid('a', String(soon), signer.sign('a', soon))).toBe(true);
  });

  it.each([
    ['another output', 'b', String(soon), signer.sign('a', soon)],
    ['a later time of expiry', 'a', String(soon + 1), signer.sign('a', soon)],
    ['a time of expiry that has passed', 'a', '1000', signer.sign('a', 1000)],
    ['a text instead of a time', 'a', 'never', signer.sign('a', soon)],
    ['another signature', 'a', String(soon), 'x'],
    ['the signature of another installation', 'a', String(soon), new LinkSigner('another').sign('a', soon)],
  ])('is not valid for %s', (_, id, expires, signature) => {
    expect(signer.isValid(id, expires, signature)).toBe(false);
  });
});

describe('a signed link with its time of expiry in another spelling', () => {
  const expiry = 2_000_000_000_000;

  it.each([
    '02000000000000',
    '+2000000000000',
    ' 2000000000000',
    '2000000000000 ',
    '2e12',
    '2000000000000.0',
    '0x1d1a94a2000',
  ])('is refused: "%s"', (expires) => {
    expect(Number(expires)).toBe(expiry);
    expect(signer.isValid('a', expires, signer.sign('a', expiry))).toBe(false);
  });
});

describe('prettySize', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [5 * 2 ** 30, '5.0 GiB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(prettySize(bytes)).toBe(text);
  });
});
