import { describe, expect, it } from '@jest/globals';
import { SecretCipher } from './secret-cipher.js';

const seal = new SecretCipher('a secret of the installation', 'tests');

describe('a sealed secret', () => {
  it.each(['', 'short', 'ünïcödé ✓', 'x'.repeat(100_000)])('opens to what it was', (plain) => {
    expect(seal.decrypt(seal.encrypt(plain))).toBe(plain);
  });

  it('looks different each time', () => {
    expect(Buffer.from(seal.encrypt('same')).equals(Buffer.from(seal.encrypt('same')))).toBe(false);
  });

  it('does not open once it was changed anywhere', () => {
    const sealed = seal.encrypt('plain');
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice();
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => seal.decrypt(changed)).toThrow();
    }
  });

  it('opens neither under another secret nor for another purpose', () => {
    const sealed = seal.encrypt('plain');
    expect(() => new SecretCipher('another secret', 'tests').decrypt(sealed)).toThrow();
    expect(() => new SecretCipher('a secret of the installation', 'other tests').decrypt(sealed)).toThrow();
  });
});
