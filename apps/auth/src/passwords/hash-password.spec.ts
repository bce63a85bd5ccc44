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
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < 15; i++) {
      times.known.push(await timeOf(() => verifyPassword('wrong', hashed)));
      times.unknown.push(await timeOf(() => verifyPassword('wrong', null)));
    }
    // The quickest of each: what else the machine does only ever adds.
    const ratio = Math.min(...times.unknown) / Math.min(...times.known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
