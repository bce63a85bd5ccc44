import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from './hash-password.js';

describe('passwords', () => {
  it('are kept as argon2id with the settings that OWASP names', async () => {
    expect(await hashPassword('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('are told from wrong ones', async () => {
    const hashed = await hashPassword('correct horse battery');
    expect(await verifyPassword('correct horse battery', hashed)).toBe(true);
    expect(await verifyPassword('correct horse batterz', hashed)).toBe(false);
  });

  it('are never right where no hash is kept, not even the decoy itself', async () => {
    expect(await verifyPassword('nobody has this password', null)).toBe(false);
  });

  it('take as long to refuse for an unknown user as for a known one', async () => {
    const hashed = await hashPassword('correct horse battery');
    await verifyPassword('warm up', null);
    const known = await medianMs(() => verifyPassword('wrong', hashed));
    const unknown = await medianMs(() => verifyPassword('wrong', null));
    expect(unknown).toBeGreaterThan(known * 0.5);
    expect(unknown).toBeLessThan(known * 2);
  });
});

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 9; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[4] ?? 0;
}
