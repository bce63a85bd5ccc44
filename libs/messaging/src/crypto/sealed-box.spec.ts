import { describe, expect, it } from '@jest/globals';
import { createRecipient, sealFor } from './sealed-box.js';

const recipient = createRecipient();

describe('a text sealed for a recipient', () => {
  it.each(['', 'short', 'ünïcödé ✓', 'x'.repeat(300_000)])('opens to the original text', (plain) => {
    expect(recipient.open(sealFor(recipient.publicKey, plain))).toBe(plain);
  });

  it('differs each time and does not contain the text', () => {
    const [one, two] = [sealFor(recipient.publicKey, 'same text'), sealFor(recipient.publicKey, 'same text')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').includes('same')).toBe(false);
  });

  it('does not open for another recipient', () => {
    expect(() => createRecipient().open(sealFor(recipient.publicKey, 'plain'))).toThrow();
  });

  it('does not open if any byte was changed or cut off', () => {
    const sealed = Buffer.from(sealFor(recipient.publicKey, 'plain'), 'base64url');
    // The highest bit of a public key is ignored (RFC 7748, section 5), but it is part of the input of the key
    // derivation.
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 0x80;
      expect(() => recipient.open(changed.toString('base64url'))).toThrow();
      expect(() => recipient.open(sealed.subarray(0, index).toString('base64url'))).toThrow();
    }
  });

  it('cannot be sealed for an invalid key', () => {
    expect(() => sealFor('short', 'plain')).toThrow(RangeError);
    expect(() => sealFor(Buffer.alloc(32).toString('base64url'), 'plain')).toThrow(RangeError);
  });
});
