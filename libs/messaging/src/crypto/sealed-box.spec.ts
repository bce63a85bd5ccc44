import { describe, expect, it } from '@jest/globals';
import { createRecipient, sealFor } from './sealed-box.js';

const recipient = createRecipient();

describe('what is sealed to a recipient', () => {
  it.each(['', 'short', 'ünïcödé ✓', 'x'.repeat(300_000)])('opens to what it was', (plain) => {
    expect(recipient.open(sealFor(recipient.publicKey, plain))).toBe(plain);
  });

  it('looks different each time, and shows nothing', () => {
    const [one, two] = [sealFor(recipient.publicKey, 'same text'), sealFor(recipient.publicKey, 'same text')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').includes('same')).toBe(false);
  });

  it('opens to nobody else', () => {
    expect(() => createRecipient().open(sealFor(recipient.publicKey, 'plain'))).toThrow();
  });

  it('does not open once it was changed anywhere, or cut', () => {
    const sealed = Buffer.from(sealFor(recipient.publicKey, 'plain'), 'base64url');
    // The highest bit of a public key does not count (RFC 7748, section 5), but is part of what keys are derived from.
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 0x80;
      expect(() => recipient.open(changed.toString('base64url'))).toThrow();
      expect(() => recipient.open(sealed.subarray(0, at).toString('base64url'))).toThrow();
    }
  });

  it('is refused for what is no key', () => {
    expect(() => sealFor('short', 'plain')).toThrow(RangeError);
    expect(() => sealFor(Buffer.alloc(32).toString('base64url'), 'plain')).toThrow(RangeError);
  });
});
