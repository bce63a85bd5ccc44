import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAdminAudit } from '@millrace/contracts/auth/admin/admin-audit';
import { cancelAdminTask, getAdminTask, startCheck, startReindex } from '@millrace/contracts/auth/admin/admin-tasks';
import { createAdminToken, revokeAdminToken } from '@millrace/contracts/auth/admin/admin-tokens';
import { getAdminUser, resetSignIn, resumeUser, suspendUser } from '@millrace/contracts/auth/admin/admin-users';
import { setVaultLimits, suspendVault } from '@millrace/contracts/auth/admin/admin-vaults';
import { grantAdmin, listAdmins, revokeAdmin } from '@millrace/contracts/auth/admin/admins';
import { resolveAbsentCaller, resolveCaller } from '@millrace/contracts/auth/callers';
import { updateMember } from '@millrace/contracts/auth/members';
import { getMe, regenerateToken, updateMe } from '@millrace/contracts/auth/users';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { eventually } from '@millrace/testkit/eventually';
import { callerOf, PASSWORD, signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { hashSecret } from '../secrets/random-token.js';
import { start } from '../start.js';
import { runAdminCommand } from './admins/run-admin-command.js';

let system: System;
let admin: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  system = await startApps([start]);
  admin = await makeAdmin();
});
afterAll(() => system.close());

async function makeAdmin() {
  const account = await signUp(system);
  await runAdminCommand(system.database.url, { name: 'grant', email: account.email });
  const caller = await callerOf(system, account.user.id, account.access);
  if (!caller) throw new Error('The administrator has no session');
  return { ...account, caller };
}

const callerOfToken = async (token: string): Promise<Caller | null> =>
  (await system.callAs(null, resolveCaller, { body: { tokenHash: hashSecret(token) } })).caller;

const auditOf = async (target: string) => {
  const { results } = await system.callAs(admin.caller, listAdminAudit);
  return results.filter((entry) => entry.target_id === target).map(({ action, credential }) => [action, credential]);
};

describe('the role of an administrator', () => {
  it('is granted by the command to an account that exists, and to no email', async () => {
    const grant = (email: string) => runAdminCommand(system.database.url, { name: 'grant', email });
    await expect(grant('nobody@example.org')).rejects.toThrow('No account has the email nobody@example.org');
    const early = 'early@example.org';
    await expect(grant(early)).rejects.toThrow('Sign up with it first');
    const { caller } = await signUp(system, early);
    expect(caller.instance).toBeUndefined();
    expect(await auditOf(admin.user.id)).toEqual([['admin.granted', 'command']]);
    expect(await system.callAs(admin.caller, getMe)).toMatchObject({ instance_role: 'admin' });
  });

  it('is in the response of a sign-in and of a change of the name, so that a client shows what it permits', async () => {
    expect((await signIn(system, admin.email)).user).toMatchObject({ instance_role: 'admin' });
    const renamed = await system.callAs(admin.caller, updateMe, { body: { name: 'Ada' } });
    expect(renamed).toMatchObject({ name: 'Ada', instance_role: 'admin' });
  });

  it('belongs to sessions, and not to API tokens and work in the name of the user', async () => {
    expect(admin.caller.instance).toEqual({ via: 'session', scope: 'write' });
    const { token } = await system.callAs(admin.caller, regenerateToken);
    expect(await callerOfToken(token)).toMatchObject({ user: admin.user.id });
    expect((await callerOfToken(token))?.instance).toBeUndefined();
    const runs = await system.fake('runs');
    const { user, vault } = admin.caller;
    const { caller } = await runs.call(resolveAbsentCaller, { user, vault });
    expect([caller?.user, caller?.instance]).toEqual([user, undefined]);
  });

  it('is granted and revoked by another administrator, and ends their admin tokens', async () => {
    const other = await signUp(system);
    const granted = await system.callAs(admin.caller, grantAdmin, { body: { email: other.email } });
    expect(granted).toMatchObject({ id: other.user.id, granted_by: admin.email, mfa_enabled: false });
    const caller = (await callerOf(system, other.user.id, other.access)) as Caller;
    const { token } = await system.callAs(caller, createAdminToken, { body: { name: 'script' } });
    expect((await callerOfToken(token))?.instance).toEqual({ via: 'token', scope: 'read' });
    await system.callAs(admin.caller, revokeAdmin, { params: { id: other.user.id } });
    expect(await callerOfToken(token)).toBeNull();
    expect((await callerOf(system, other.user.id, other.access))?.instance).toBeUndefined();
    expect(await auditOf(other.user.id)).toEqual([
      ['admin.revoked', 'session'],
      ['admin.granted', 'session'],
    ]);
  });

  it('requires a recent sign-in to be granted', async () => {
    const old = await makeAdmin();
    await system.database.query(
      `UPDATE auth.session SET created_at = now() - interval '16 minutes' WHERE user_id = $1`,
      [old.user.id],
    );
    const attempt = system.callAs(old.caller, grantAdmin, { body: { email: admin.email } });
    await expect(attempt).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('15 minutes'),
      details: { sign_in_within_seconds: 900 },
    });
    await system.callAs(admin.caller, revokeAdmin, { params: { id: old.user.id } });
  });

  it('is not revoked from the last administrator over the API', async () => {
    expect((await system.callAs(admin.caller, listAdmins)).count).toBe(1);
    const attempt = system.callAs(admin.caller, revokeAdmin, { params: { id: admin.user.id } });
    await expect(attempt).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('is checked by the service as well as by the gateway', async () => {
    const { instance: _, ...caller } = admin.caller;
    await expect(system.callAs(caller, listAdmins)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('an admin token ends when it expires or is revoked', async () => {
  const make = () => system.callAs(admin.caller, createAdminToken, { body: { name: 'script', scope: 'write' } });
  const [expiring, revoked] = [await make(), await make()];
  expect((await callerOfToken(expiring.token))?.instance).toEqual({ via: 'token', scope: 'write' });
  await system.database.query('UPDATE auth.admin_token SET expires_at = now() WHERE id = $1', [expiring.id]);
  expect(await callerOfToken(expiring.token)).toBeNull();
  await system.callAs(admin.caller, revokeAdminToken, { params: { id: revoked.id } });
  expect(await callerOfToken(revoked.token)).toBeNull();
});

describe('a suspended user', () => {
  const suspend = (id: string) =>
    system.callAs(admin.caller, suspendUser, { params: { id }, body: { reason: 'Abuse' } });
  const resume = (id: string) => system.callAs(admin.caller, resumeUser, { params: { id } });

  it('loses sessions and tokens, and can sign in again when resumed', async () => {
    const { user, access, email, caller } = await signUp(system);
    const { token } = await system.callAs(caller, regenerateToken);
    expect(await suspend(user.id)).toMatchObject({ state: 'suspended', suspended_reason: 'Abuse', active_sessions: 0 });
    expect([await callerOf(system, user.id, access), await callerOfToken(token)]).toEqual([null, null]);
    await expect(signIn(system, email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await resume(user.id)).toMatchObject({ state: 'active' });
    expect([await callerOf(system, user.id, access), await callerOfToken(token)]).toEqual([null, null]);
    await signIn(system, email);
    expect(await auditOf(user.id)).toEqual([
      ['user.resumed', 'session'],
      ['user.suspended', 'session'],
    ]);
  });

  it('is not enabled by an owner of the vault, and stays disabled if an owner had disabled them', async () => {
    const owner = await signUp(system);
    const id = crypto.randomUUID();
    await system.database.query(
      `INSERT INTO auth."user" (id, vault_id, vault_role, email, name) VALUES ($1, $2, 'member', $3, 'Bo')`,
      [id, owner.caller.vault, `${id}@example.org`],
    );
    const disable = (disabled: boolean) =>
      system.callAs(owner.caller, updateMember, { params: { id }, body: { disabled } });
    await disable(true);
    await suspend(id);
    await expect(disable(false)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await resume(id)).toMatchObject({ state: 'disabled' });
    expect(await disable(false)).toMatchObject({ disabled: false });
  });

  it('is never the administrator who sends the request', async () => {
    await expect(suspend(admin.user.id)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

it('a user who is locked out after wrong passwords signs in at once after a reset', async () => {
  const { user, email } = await signUp(system);
  const guess = () => signIn(system, email, 'wrong');
  for (let attempt = 0; attempt < 6; attempt++) await expect(guess()).rejects.toThrow();
  await expect(signIn(system, email, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
  const { cleared } = await system.callAs(admin.caller, resetSignIn, { params: { id: user.id } });
  expect(cleared).toBeGreaterThan(4);
  await signIn(system, email, PASSWORD);
  expect(await system.callAs(admin.caller, getAdminUser, { params: { id: user.id } })).toMatchObject({
    state: 'active',
  });
});

it('decisions about a vault are published as a whole, with a growing number', async () => {
  const { caller } = await signUp(system);
  const params = { id: caller.vault };
  const limits = { active_runs: 5, dispatches: null, storage_bytes: 1_000, live_rows: null };
  await system.callAs(admin.caller, suspendVault, { params, body: { reason: 'Unpaid' } });
  const vault = await system.callAs(admin.caller, setVaultLimits, { params, body: limits });
  expect(vault).toMatchObject({ state: 'suspended', limits, members: 1, usage: {} });
  const published = await system.database.query<{ payload: object }>(
    `SELECT payload FROM messaging.outbox WHERE name = 'auth.vault.administered' AND payload->>'vault' = $1 ORDER BY id`,
    [caller.vault],
  );
  expect(published.map(({ payload }) => payload)).toMatchObject([
    { number: 1, suspended: true, stopRuns: false, activeRuns: null },
    { number: 2, suspended: true, stopRuns: false, activeRuns: 5, storageBytes: 1_000, liveRows: null },
  ]);
});

it('the audit log of administrators cannot be changed, and young entries cannot be deleted', async () => {
  const change = (sql: string) => system.database.query(sql);
  await expect(change(`UPDATE auth.admin_audit_entry SET action = 'x'`)).rejects.toThrow('append-only');
  await expect(change('DELETE FROM auth.admin_audit_entry')).rejects.toThrow('append-only');
  await expect(change('TRUNCATE auth.admin_audit_entry')).rejects.toThrow('append-only');
});

describe('a check', () => {
  const start = () => system.callAs(admin.caller, startCheck, { body: { services: ['auth'] } });
  const untilEnded = (id: string) =>
    eventually(async () => {
      const task = await system.callAs(admin.caller, getAdminTask, { params: { id } });
      expect(task.state).not.toBe('running');
      return task;
    });

  it('finds what is violated, with examples, and nothing when it is repaired', async () => {
    const id = crypto.randomUUID();
    await system.database.query(`INSERT INTO auth.vault (id, name) VALUES ($1, 'Nobody')`, [id]);
    const task = await untilEnded((await start()).id);
    expect(task).toMatchObject({ state: 'done', violations: 1 });
    const violated = task.parts.flatMap(({ findings }) => findings).filter(({ status }) => status === 'violated');
    expect(violated).toEqual([{ name: 'A vault has an owner', status: 'violated', count: 1, examples: [id] }]);
    await system.database.query('DELETE FROM auth.vault WHERE id = $1', [id]);
    expect(await untilEnded((await start()).id)).toMatchObject({ state: 'done', violations: 0 });
  });

  it('is refused while another one runs, which can be cancelled', async () => {
    const services: ['billing'] = ['billing'];
    const { id } = await system.callAs(admin.caller, startCheck, { body: { services } });
    await expect(start()).rejects.toMatchObject({ code: 'validation_error', details: { task: id } });
    const cancelled = await system.callAs(admin.caller, cancelAdminTask, { params: { id } });
    expect(cancelled).toMatchObject({ state: 'cancelled', parts: [{ service: 'billing', state: 'cancelled' }] });
    await untilEnded((await start()).id);
  });
});

it('indexes of a service are rebuilt one by one, and their tables are analyzed', async () => {
  const body = { services: ['auth' as const], indexes: ['auth.user_email_key', 'auth.user_pkey'] };
  const fileOf = async () =>
    (await system.database.query(`SELECT pg_relation_filenode('auth.user_email_key') AS node`))[0];
  const before = await fileOf();
  const { id } = await system.callAs(admin.caller, startReindex, { body });
  await eventually(async () => {
    const task = await system.callAs(admin.caller, getAdminTask, { params: { id } });
    expect(task).toMatchObject({ state: 'done', parts: [{ done: 3, total: 3 }] });
    expect(task.parts[0]?.findings.map(({ name, status }) => [name, status])).toEqual([
      ['auth.user_email_key', 'ok'],
      ['auth.user_pkey', 'ok'],
    ]);
  });
  expect(await fileOf()).not.toEqual(before);
});
