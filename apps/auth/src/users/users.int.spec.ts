import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { getMe, regenerateToken, updateMe } from '@millrace/contracts/auth/users';
import { getVault } from '@millrace/contracts/auth/vaults';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { signUp } from '@millrace/testkit/sign-up';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { hashSecret } from '../secrets/random-token.js';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const callerOf = async (token: string) =>
  (await system.callAs(null, resolveCaller, { body: { tokenHash: hashSecret(token) } })).caller;

const withoutCredential = ({ credential: _, session: __, ...caller }: Caller) => caller;

describe('the caller’s account', () => {
  it('can be read, and its name changed', async () => {
    const { caller, user } = await signUp(system);
    expect(await system.callAs(caller, getMe)).toEqual(user);
    const renamed = await system.callAs(caller, updateMe, { body: { name: 'Ada L.' } });
    expect(renamed).toEqual({ ...user, name: 'Ada L.' });
    expect(await system.callAs(caller, getMe)).toEqual(renamed);
  });

  it('stays unchanged by an empty change', async () => {
    const { caller, user } = await signUp(system);
    expect(await system.callAs(caller, updateMe, { body: {} })).toEqual(user);
  });

  it('is not found after it was deleted', async () => {
    const deleted = ownerCaller();
    for (const operation of [getMe, getVault, updateMe, regenerateToken]) {
      await expect(system.callAs(deleted, operation)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('an API token', () => {
  it('authenticates its user, and shows its first characters', async () => {
    const { caller } = await signUp(system);
    const { token, prefix } = await system.callAs(caller, regenerateToken);
    expect(token).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(prefix).toBe(token.slice(0, 6));
    expect(await callerOf(token)).toEqual(withoutCredential(caller));
    expect(await system.callAs(caller, getMe)).toMatchObject({ token_prefix: prefix });
  });

  it('ends at once when a new one is created', async () => {
    const { caller } = await signUp(system);
    const old = await system.callAs(caller, regenerateToken);
    const next = await system.callAs(caller, regenerateToken);
    expect(await callerOf(old.token)).toBeNull();
    expect(await callerOf(next.token)).toEqual(withoutCredential(caller));
  });

  it('is created once for a repeated request, and not stored in clear', async () => {
    const { caller } = await signUp(system);
    const regenerate = () => system.callAs(caller, regenerateToken, {}, { idempotencyKey: 'new token' });
    const first = await regenerate();
    expect(await regenerate()).toEqual(first);
    const rows = await system.database.query<{ row: string }>(`
      SELECT u::text AS row FROM auth."user" u
      UNION ALL SELECT encode(r.response, 'escape') FROM messaging.idempotent_request r`);
    expect(rows.map(({ row }) => row).join()).not.toContain(first.token);
  });

  it('of a disabled user authenticates no user', async () => {
    const { caller, user } = await signUp(system);
    const { token } = await system.callAs(caller, regenerateToken);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE id = $1`, [user.id]);
    expect(await callerOf(token)).toBeNull();
  });

  it('that was never issued authenticates no user', async () => {
    expect(await callerOf('x'.repeat(40))).toBeNull();
  });
});

it('a user who is not an owner has access only to spaces with a role', async () => {
  const { user, caller } = await signUp(system);
  const { token } = await system.callAs(caller, regenerateToken);
  await system.database.query(`UPDATE auth."user" SET vault_role = 'member' WHERE id = $1`, [user.id]);
  expect(await callerOf(token)).toEqual({ ...withoutCredential(caller), vaultRole: 'member', spaces: {} });
});
