import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { confirmReset, requestReset } from '@millrace/contracts/auth/passwords';
import { regenerateToken } from '@millrace/contracts/auth/users';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { callerOf, randomAddress, signIn, signUp } from '@millrace/testkit/sign-up';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { tokenOf } from '@millrace/testkit/vault-of-people';
import { hashSecret } from '../secrets/random-token.js';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start], { PUBLIC_URL: 'https://millrace.example.org' });
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

const NEW = 'a better horse battery';
const request = (email: string, address = randomAddress()) =>
  system.callAs(null, requestReset, { body: { email } }, { address });
const confirm = (token: string, password = NEW, address = randomAddress()) =>
  system.callAs(null, confirmReset, { body: { token, password } }, { address });

/** The token of the next link that is mailed to an address. */
const takeToken = async (email: string) => tokenOf((await mailbox.take(email, 'password_reset')).link);

async function mailedToken(email: string): Promise<string> {
  await request(email);
  return takeToken(email);
}

/** Waits until all earlier jobs are processed, because the queue processes its jobs in order. */
async function settle(): Promise<void> {
  const { email } = await signUp(system);
  await mailedToken(email);
}

describe('requesting a new password', () => {
  it('returns the same response for an unknown email, to which nothing is sent', async () => {
    const { email } = await signUp(system);
    expect(await request(email)).toEqual({ success: true });
    expect(await request('nobody@example.org')).toEqual({ success: true });
    await takeToken(email);
    await settle();
    expect(mailbox.countUnread('nobody@example.org')).toBe(0);
  });

  it('mails a link to the page at the public address', async () => {
    const { email, user } = await signUp(system);
    await request(` ${email.toUpperCase()} `);
    expect(await mailbox.take(email, 'password_reset')).toEqual({
      template: 'password_reset',
      to: email,
      name: user.name,
      link: expect.stringMatching(/^https:\/\/millrace\.example\.org\/password-reset\?token=[\w-]{43}$/),
    });
  });

  it.each([
    ['is disabled', 'disabled_at = now()'],
    ['signs in with Google', 'password_hash = NULL, is_google = true'],
  ])('sends nothing to a user who %s', async (_, change) => {
    const { email } = await signUp(system);
    await system.database.query(`UPDATE auth."user" SET ${change} WHERE email = $1`, [email]);
    await request(email);
    await settle();
    expect(mailbox.countUnread(email)).toBe(0);
  });

  it('sends three mails within an hour, and returns the same response to a fourth request', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 5; i++) expect(await request(email)).toEqual({ success: true });
    await settle();
    expect(mailbox.countUnread(email)).toBe(3);
    await system.database.query(`UPDATE auth.counted_try SET at = at - interval '1 hour'`);
    await request(email);
    await settle();
    expect(mailbox.countUnread(email)).toBe(4);
  });

  it('is refused after twenty requests from an address for any users', async () => {
    const address = randomAddress();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, (_, i) => request(`nobody${i}@example.org`, address)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await expect(request('nobody@example.org', address)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(request('nobody@example.org')).resolves.toBeDefined();
  });
});

describe('the link to set a new password', () => {
  it('sets a new password, ends all sessions, notifies the user, and is recorded', async () => {
    const { email, user, access } = await signUp(system);
    await expect(confirm(await mailedToken(email))).resolves.toEqual({ success: true });
    expect(await callerOf(system, user.id, access)).toBeNull();
    await expect(signIn(system, email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(signIn(system, email, NEW)).resolves.toBeDefined();
    await expect(mailbox.take(email, 'account_changed')).resolves.toMatchObject({ what: 'password_changed' });
    const notes = await system.database.query(
      `SELECT actor_id FROM auth.audit_entry WHERE vault_id = $1 AND action = 'password.reset'`,
      [user.vault],
    );
    expect(notes).toEqual([{ actor_id: user.id }]);
  });

  it('works once', async () => {
    const { email } = await signUp(system);
    const token = await mailedToken(email);
    await confirm(token);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('works once, even for concurrent requests', async () => {
    const second = await system.start(start);
    const { email } = await signUp(system);
    const token = await mailedToken(email);
    const all = await Promise.allSettled(Array.from({ length: 4 }, (_, i) => confirm(token, `${NEW} ${i}`)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await second.close();
  });

  it('works for an hour', async () => {
    const { email } = await signUp(system);
    const token = await mailedToken(email);
    const left = await system.database.query<{ minutes: number }>(
      `SELECT round(extract(epoch FROM max(r.expires_at) - now()) / 60)::int AS minutes
       FROM auth.password_reset r JOIN auth."user" u ON u.id = r.user_id WHERE u.email = $1`,
      [email],
    );
    expect(left).toEqual([{ minutes: 60 }]);
    await system.database.query(`UPDATE auth.password_reset SET expires_at = expires_at - interval '1 hour'`);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('deletes the API token, and lets a locked-out owner sign in', async () => {
    const { email, caller } = await signUp(system);
    const { token: apiToken } = await system.callAs(caller, regenerateToken);
    const resolveRequest = { body: { tokenHash: hashSecret(apiToken) } };
    expect((await system.callAs(null, resolveCaller, resolveRequest)).caller).not.toBeNull();
    for (let i = 0; i < 7; i++) await signIn(system, email, 'not it').catch(() => undefined);
    await expect(signIn(system, email)).rejects.toMatchObject({ code: 'rate_limited' });
    await confirm(await mailedToken(email));
    expect((await system.callAs(null, resolveCaller, resolveRequest)).caller).toBeNull();
    await expect(signIn(system, email, NEW)).resolves.toBeDefined();
  });

  it('works only if it is the newest', async () => {
    const { email } = await signUp(system);
    const earlierToken = await mailedToken(email);
    const newest = await mailedToken(email);
    await expect(confirm(earlierToken)).rejects.toMatchObject({ code: 'expired_token' });
    await expect(confirm(newest)).resolves.toBeDefined();
  });

  it('is not used up by a rejected password', async () => {
    const { email } = await signUp(system);
    const token = await mailedToken(email);
    await expect(confirm(token, 'password123')).rejects.toMatchObject({ code: 'validation_error' });
    await expect(confirm(token)).resolves.toBeDefined();
  });

  it('of a user who was disabled after the request is rejected', async () => {
    const { email } = await signUp(system);
    const token = await mailedToken(email);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE email = $1`, [email]);
    await expect(confirm(token)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('cannot be guessed more than twenty times from an address', async () => {
    const address = randomAddress();
    for (let i = 0; i < 20; i++)
      await expect(confirm(`guess ${i}\0`, NEW, address)).rejects.toMatchObject({ code: 'expired_token' });
    await expect(confirm('guess', NEW, address)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
