import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from './hash-password.js';

describe('passwords', () => {
  it('are hashed as argon2id with the settings of OWASP', async () => {
    expect(await hashPassword('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('are distinguished from wrong ones', async () => {
    const hashed = await hashPassword('correct horse battery');
    expect(await verifyPassword('correct horse battery', hashed)).toBe(true);
    expect(await verifyPassword('correct horse batterz', hashed)).toBe(false);
  });

  it('are never right without a hash, not even the decoy itself', async () => {
    expect(await verifyPassword('no user has this password', null)).toBe(false);
  });

  it('take as much work to reject for an unknown user as for an existing one', async () => {
    const hashed = await hashPassword('correct horse battery');
    const existingUserWork = await workOf(() => verifyPassword('wrong', hashed));
    const unexistingUserWork = await workOf(() => verifyPassword('wrong', null));
    expect(unexistingUserWork / existingUserWork).toBeGreaterThan(0.5);
    expect(unexistingUserWork / existingUserWork).toBeLessThan(2);
  });
});

/** CPU time of this process for fifteen repetitions, which other processes do not affect. */
async function workOf(task: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let at = 0; at < 15; at++) await task();
  return process.cpuUsage(start).user;
}
