import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redeemTicket, signInWithGoogle } from '@millrace/contracts/auth/google';
import type { GoogleProblem } from '@millrace/contracts/auth/google-problems';
import { newId } from '@millrace/persistence/ids';
import { callerOf, signIn, signUp } from '@millrace/testkit/sign-up';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { hashSecret } from '../secrets/random-token.js';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

interface Profile {
  subject: string;
  email: string;
  name: string;
}

const someone = (changes: Partial<Profile> = {}): Profile => {
  const subject = newId();
  return { subject, email: `g-${subject}@example.org`, name: 'Grace', ...changes };
};
const vouchFor = (profile: Profile & { invitation?: string }, on = system) =>
  on.callAs(null, signInWithGoogle, { body: profile });
const redeem = (ticket: string) => system.callAs(null, redeemTicket, { body: { ticket } });
const enter = async (profile: Profile & { invitation?: string }) => redeem((await vouchFor(profile)).ticket);

async function invite(vault: string, email: string, role = 'space_admin', expires = '7 days') {
  const [id, token] = [newId(), newId()];
  await system.database.query(
    `INSERT INTO auth.invitation (id, vault_id, email, role, token_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6::interval)`,
    [id, vault, email, role, hashSecret(token), expires],
  );
  return { id, token };
}

const forbidden = (problem: GoogleProblem) => ({ code: 'forbidden', details: { problem } });
const CLOSED = { code: 'expired_token', details: { problem: 'invitation_closed' } };

const notesOf = async (vault: string) =>
  (
    await system.database.query<{ action: string }>(
      'SELECT action FROM auth.audit_entry WHERE vault_id = $1 ORDER BY created_at, id',
      [vault],
    )
  ).map(({ action }) => action);

describe('a first sign-in with Google', () => {
  it('creates a user with a vault of their own, as sign-up does', async () => {
    const profile = someone();
    const { user, access } = await enter({ ...profile, email: ` ${profile.email.toUpperCase()}` });
    expect(user).toMatchObject({ email: profile.email, name: 'Grace', vault_role: 'owner', is_google: true });
    expect(await callerOf(system, user.id, access)).toMatchObject({ user: user.id, spaces: 'all' });
    const published = await system.database.query(
      `SELECT payload FROM messaging.outbox WHERE name = 'auth.vault.created' AND payload ->> 'vault' = $1`,
      [user.vault],
    );
    expect(published).toEqual([
      { payload: { vault: user.vault, owner: user.id, name: "Grace's vault", plan: 'enterprise' } },
    ]);
    expect(await notesOf(user.vault)).toEqual(['user.signed_up', 'session.started']);
  });

  it('from the link of an invitation joins that vault with the invited role', async () => {
    const { user: host } = await signUp(system);
    const profile = someone();
    const invitation = await invite(host.vault, profile.email);
    const { user } = await enter({ ...profile, invitation: invitation.token });
    expect(user).toMatchObject({ vault: host.vault, vault_role: 'space_admin', is_google: true });
    const rows = await system.database.query(
      'SELECT accepted_at IS NOT NULL AS accepted FROM auth.invitation WHERE id = $1',
      [invitation.id],
    );
    expect(rows).toEqual([{ accepted: true }]);
    expect(await notesOf(host.vault)).toContain('user.joined');
  });

  it('does not follow an invitation whose link was not opened, because any user may invite any address', async () => {
    const { user: host } = await signUp(system);
    const profile = someone();
    await invite(host.vault, profile.email, 'owner');
    expect((await enter(profile)).user).toMatchObject({ vault: expect.not.stringMatching(host.vault) });
  });

  it('is refused from an invitation that has expired, was revoked, or is for another address', async () => {
    const { user: host } = await signUp(system);
    const [late, unwanted, other] = [someone(), someone(), someone()];
    const { token: over } = await invite(host.vault, late.email, 'owner', '-1 s');
    const { id, token: back } = await invite(host.vault, unwanted.email, 'owner');
    await system.database.query('UPDATE auth.invitation SET revoked_at = now() WHERE id = $1', [id]);
    const { token: theirs } = await invite(host.vault, someone().email);
    await expect(vouchFor({ ...late, invitation: over })).rejects.toMatchObject(CLOSED);
    await expect(vouchFor({ ...unwanted, invitation: back })).rejects.toMatchObject(CLOSED);
    await expect(vouchFor({ ...other, invitation: theirs })).rejects.toMatchObject(
      forbidden('invitation_for_other_email'),
    );
    await enter(other);
    const { token: second } = await invite(host.vault, other.email);
    await expect(vouchFor({ ...other, invitation: second })).rejects.toMatchObject(forbidden('account_exists'));
  });

  it('never takes over an account with a password', async () => {
    const { email } = await signUp(system);
    await expect(vouchFor(someone({ email: email.toUpperCase() }))).rejects.toMatchObject(forbidden('account_exists'));
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { is_google: false } });
  });

  it('with another subject does not take over an existing account', async () => {
    const profile = someone();
    await enter(profile);
    await expect(vouchFor({ ...profile, subject: newId() })).rejects.toMatchObject(forbidden('account_exists'));
  });

  it('twice at once creates one user', async () => {
    const profile = someone();
    const all = await Promise.all(Array.from({ length: 6 }, () => enter(profile)));
    expect(new Set(all.map(({ user }) => user.id)).size).toBe(1);
  });

  it.each([
    ['an invalid email', { email: 'nonsense' }],
    ['a subject that cannot be stored', { subject: 'a\0b' }],
    ['a name that cannot be stored', { name: 'a\0b' }],
  ])('with %s is refused', async (_, changes) => {
    await expect(vouchFor(someone(changes))).rejects.toMatchObject({
      code: 'validation_error',
      details: { problem: 'unusable_profile' },
    });
  });

  it('uses the email as name if there is none', async () => {
    const profile = someone({ name: ' ' });
    expect((await enter(profile)).user.name).toBe(profile.email);
  });
});

describe('later sign-ins with Google', () => {
  it('find the user by the subject, even if the email has changed', async () => {
    const profile = someone();
    const first = await enter(profile);
    const later = await enter({ ...profile, email: someone().email });
    expect(later.user).toEqual(first.user);
  });

  it('are refused for a disabled user', async () => {
    const profile = someone();
    await enter(profile);
    const { ticket } = await vouchFor(profile);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE email = $1`, [profile.email]);
    await expect(vouchFor(profile)).rejects.toMatchObject(forbidden('account_disabled'));
    await expect(redeem(ticket)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('are the only way to sign in: no password works', async () => {
    const profile = someone();
    await enter(profile);
    await expect(signIn(system, profile.email, '')).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});

describe('closed sign-up', () => {
  let closed: System;
  beforeAll(async () => {
    closed = await startApps([start], { SIGNUP: 'closed', ...system.database.logins });
  });
  afterAll(() => closed.close());

  it('admits only users who were invited or have an account', async () => {
    const { user: host } = await signUp(system);
    const [existing, invited] = [someone(), someone()];
    await enter(existing);
    const { token: invitation } = await invite(host.vault, invited.email);
    await expect(vouchFor(existing, closed)).resolves.toBeDefined();
    await expect(vouchFor(invited, closed)).rejects.toMatchObject(forbidden('signup_closed'));
    await expect(vouchFor({ ...invited, invitation }, closed)).resolves.toBeDefined();
    await expect(vouchFor(someone(), closed)).rejects.toMatchObject(forbidden('signup_closed'));
  });
});

describe('a sign-in ticket', () => {
  it('works once, even for concurrent requests', async () => {
    const { ticket } = await vouchFor(someone());
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => redeem(ticket)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(redeem(ticket)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('is valid for a minute', async () => {
    const { ticket } = await vouchFor(someone());
    await system.database.query(`UPDATE auth.sign_in_ticket SET expires_at = expires_at - interval '1 minute'`);
    await expect(redeem(ticket)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it.each(['guess', '\0'])('that was never issued (%j) is rejected', async (ticket) => {
    await expect(redeem(ticket)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('returns the same tokens to a request that is repeated with its idempotency key', async () => {
    const { ticket } = await vouchFor(someone());
    const redeemRepeatedly = () => system.callAs(null, redeemTicket, { body: { ticket } }, { idempotencyKey: ticket });
    const first = await redeemRepeatedly();
    expect(await redeemRepeatedly()).toEqual(first);
  });
});
