import { describe, expect, it } from '@jest/globals';
import { Seal } from './seal.js';

const seal = new Seal('a secret of the installation', 'tests');

describe('a sealed secret', () => {
  it.each(['', 'short', 'ünïcödé ✓', 'x'.repeat(100_000)])('opens to what it was', (plain) => {
    expect(seal.open(seal.seal(plain))).toBe(plain);
  });

  it('looks different each time', () => {
    expect(Buffer.from(seal.seal('same')).equals(Buffer.from(seal.seal('same')))).toBe(false);
  });

  it('does not open once it was changed anywhere', () => {
    const sealed = seal.seal('plain');
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice();
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => seal.open(changed)).toThrow();
    }
  });

  it('opens neither under another secret nor for another purpose', () => {
    const sealed = seal.seal('plain');
    expect(() => new Seal('another secret', 'tests').open(sealed)).toThrow();
    expect(() => new Seal('a secret of the installation', 'other tests').open(sealed)).toThrow();
  });
});
