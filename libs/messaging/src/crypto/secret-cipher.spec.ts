import { describe, expect, it } from '@jest/globals';
import { SecretCipher } from './secret-cipher.js';

const cipher = new SecretCipher('a secret of the installation', 'tests');

describe('an encrypted secret', () => {
  it.each(['', 'short', 'ünïcödé ✓', 'x'.repeat(100_000)])('decrypts to the original text', (plain) => {
    expect(cipher.decrypt(cipher.encrypt(plain))).toBe(plain);
  });

  it('differs each time', () => {
    expect(Buffer.from(cipher.encrypt('same')).equals(Buffer.from(cipher.encrypt('same')))).toBe(false);
  });

  it('does not decrypt if any byte was changed', () => {
    const encrypted = cipher.encrypt('plain');
    for (let i = 0; i < encrypted.length; i++) {
      const changed = encrypted.slice();
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => cipher.decrypt(changed)).toThrow();
    }
  });

  it('does not decrypt under another secret or for another purpose', () => {
    const encrypted = cipher.encrypt('plain');
    expect(() => new SecretCipher('another secret', 'tests').decrypt(encrypted)).toThrow();
    expect(() => new SecretCipher('a secret of the installation', 'other tests').decrypt(encrypted)).toThrow();
  });
});
