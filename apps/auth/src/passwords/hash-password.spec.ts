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

  it('are as much work to refuse for an unknown user as for a known one', async () => {
    const hashed = await hashPassword('correct horse battery');
    const known = await workOf(() => verifyPassword('wrong', hashed));
    const unknown = await workOf(() => verifyPassword('wrong', null));
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });
});

/** What doing it fifteen times costs in CPU time of this process, which other processes add nothing to. */
async function workOf(task: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let at = 0; at < 15; at++) await task();
  return process.cpuUsage(start).user;
}
