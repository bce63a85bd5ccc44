import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  createInvitation,
  describeInvitation,
  listInvitations,
  revokeInvitation,
} from '@millrace/contracts/auth/invitations';
import { removeMember, updateMember } from '@millrace/contracts/auth/members';
import { unsetUserVaultRole } from '@millrace/contracts/auth/roles';
import { getVault } from '@millrace/contracts/auth/vaults';
import { newId } from '@millrace/persistence/ids';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { PASSWORD, signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { tokenOf, vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start], { SIGNUP: 'open', PUBLIC_URL: 'https://millrace.example.org' });
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

const someEmail = () => `invited-${newId()}@example.org`;
const over = { code: 'expired_token' };

async function invite(changes: { role?: 'member' | 'space_admin' | 'owner' } = {}) {
  const vault = await vaultOfPeople(system, mailbox);
  const email = someEmail();
  const created = await system.callAs(vault.owner.caller, createInvitation, { body: { email, ...changes } });
  const mail = await mailbox.take(email, 'invitation');
  return { ...vault, email, invitation: created, mail, token: tokenOf(mail.link) };
}

const accept = (token: string, password = PASSWORD) =>
  system.callAs(null, acceptInvitation, { body: { token, name: 'Guest', password } });

describe('an invitation', () => {
  it('is mailed with a link to the public address, valid for seven days', async () => {
    const { invitation, mail, owner } = await invite();
    expect(invitation).toMatchObject({ role: 'member', status: 'pending', invited_by: owner.id });
    expect(mail.link).toMatch(/^https:\/\/millrace\.example\.org\/invitations\/accept\?token=[\w-]{43}$/);
    expect(mail).toMatchObject({ invitedBy: 'Ada', vault: "Ada's vault", expiresAt: invitation.expires_date });
    expect(Date.parse(invitation.expires_date) - Date.parse(invitation.created_date)).toBeGreaterThan(
      6.9 * 24 * 3_600_000,
    );
  });

  it('describes the vault, and creates a user of it who can sign in', async () => {
    const { owner, email, token } = await invite({ role: 'space_admin' });
    expect(await system.callAs(null, describeInvitation, { body: { token } })).toMatchObject({
      email,
      vault: "Ada's vault",
    });
    const { user } = await accept(token);
    expect(user).toMatchObject({ email, vault: owner.caller.vault, vault_role: 'space_admin' });
    const signedIn = await signIn(system, email);
    expect(signedIn.user.id).toBe(user.id);
    const { results } = await system.callAs(owner.caller, listInvitations, { query: { search: email } });
    expect(results).toEqual([expect.objectContaining({ email, status: 'accepted' })]);
  });

  it('works once, even if it is used twice at the same time', async () => {
    const { token } = await invite();
    const ends = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(accept(token)).rejects.toMatchObject(over);
    await expect(system.callAs(null, describeInvitation, { body: { token } })).rejects.toMatchObject(over);
  });

  it('ends when it is revoked, replaced, or expired', async () => {
    const revoked = await invite();
    const params = { id: revoked.invitation.id };
    expect(await system.callAs(revoked.owner.caller, revokeInvitation, { params })).toEqual({ success: true });
    expect(await system.callAs(revoked.owner.caller, revokeInvitation, { params })).toEqual({ success: false });
    await expect(accept(revoked.token)).rejects.toMatchObject(over);

    const replaced = await invite();
    await system.callAs(replaced.owner.caller, createInvitation, { body: { email: replaced.email } });
    await expect(accept(replaced.token)).rejects.toMatchObject(over);
    await accept(tokenOf((await mailbox.take(replaced.email, 'invitation')).link));

    const late = await invite();
    await system.database.query('UPDATE auth.invitation SET expires_at = now() WHERE id = $1', [late.invitation.id]);
    await expect(accept(late.token)).rejects.toMatchObject(over);
    const { results } = await system.callAs(late.owner.caller, listInvitations, { query: { status: 'expired' } });
    expect(results.map(({ id }) => id)).toEqual([late.invitation.id]);
  });

  it('stays open if the password is rejected or the email has an account in another vault', async () => {
    const { token, email } = await invite();
    await expect(accept(token, 'password123')).rejects.toMatchObject({ code: 'validation_error' });
    await signUp(system, email);
    await expect(accept(token)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await system.callAs(null, describeInvitation, { body: { token } })).toMatchObject({ email });
  });

  it('is refused for users who are already in the vault', async () => {
    const { owner, join } = await vaultOfPeople(system, mailbox);
    const { email } = await join();
    await expect(system.callAs(owner.caller, createInvitation, { body: { email } })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.email': 'is the email of a user who is already in the vault' },
    });
  });

  it('of another vault can neither be revoked nor seen', async () => {
    const { invitation, token } = await invite();
    const { caller } = await signUp(system);
    await expect(system.callAs(caller, revokeInvitation, { params: { id: invitation.id } })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await system.callAs(caller, listInvitations)).count).toBe(0);
    await accept(token);
  });

  it('ends when its creator loses the right to invite', async () => {
    for (const end of ['demoted', 'disabled', 'removed'] as const) {
      const { owner, join } = await vaultOfPeople(system, mailbox);
      const second = await join('owner');
      const email = someEmail();
      await system.callAs(second.caller, createInvitation, { body: { email, role: 'owner' } });
      const token = tokenOf((await mailbox.take(email, 'invitation')).link);
      const params = { id: second.id };
      if (end === 'demoted') await system.callAs(owner.caller, unsetUserVaultRole, { params });
      if (end === 'disabled') await system.callAs(owner.caller, updateMember, { params, body: { disabled: true } });
      if (end === 'removed') await system.callAs(owner.caller, removeMember, { params });
      await expect(accept(token)).rejects.toMatchObject(over);
    }
  });

  it('is mailed to one address at most five times an hour', async () => {
    const email = someEmail();
    const inviteFrom = async () => {
      const { caller } = await signUp(system);
      return system.callAs(caller, createInvitation, { body: { email } });
    };
    for (let times = 0; times < 5; times += 1) await inviteFrom();
    await expect(inviteFrom()).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 3600 } });
  });

  it('is not stored in clear', async () => {
    const { token, owner } = await invite();
    const tables = await system.database.query<{ row: string }>(
      'SELECT i::text AS row FROM auth.invitation i UNION ALL SELECT a::text FROM auth.audit_entry a UNION ALL SELECT o::text FROM messaging.outbox o',
    );
    expect(tables.length).toBeGreaterThan(1);
    expect(tables.filter(({ row }) => row.includes(token))).toEqual([]);
    expect(await system.callAs(owner.caller, getVault)).toMatchObject({ role: 'owner' });
  });
});
