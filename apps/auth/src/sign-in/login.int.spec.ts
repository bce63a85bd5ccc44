import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { eventually } from '@millrace/testkit/eventually';
import { callerOf, PASSWORD, signIn, signUp, randomAddress } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const refreshWith = (refresh: string) => system.callAs(null, refreshSession, { body: { refresh } });
const refused = { code: 'invalid_credentials' };

describe('signing in', () => {
  it('returns tokens and the user, for any case of the email', async () => {
    const { email, user } = await signUp(system);
    const response = await signIn(system, ` ${email.toUpperCase()} `);
    expect(response.user).toEqual(user);
    expect(await callerOf(system, user.id, response.access)).toMatchObject({ user: user.id });
  });

  it('returns the same error for a wrong password and an unknown email', async () => {
    const { email } = await signUp(system);
    const wrong = await signIn(system, email, 'wrong password').catch((error: unknown) => error);
    const unknown = await signIn(system, 'nobody@example.org', 'wrong password').catch((error: unknown) => error);
    expect(wrong).toMatchObject(refused);
    expect(unknown).toEqual(wrong);
  });

  it.each(['', 'no address', "'; DROP TABLE"])('rejects %j like an unknown email', async (email) => {
    await expect(signIn(system, email)).rejects.toMatchObject(refused);
  });

  it('rejects an email that cannot be stored like an unknown one', async () => {
    await expect(signIn(system, 'a\0@example.org')).rejects.toMatchObject(refused);
  });

  it('admits twenty users at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => signUp(system)));
    const responses = await Promise.all(accounts.map(({ email }) => signIn(system, email, PASSWORD, '10.9.9.9')));
    expect(responses.map(({ user }) => user.email)).toEqual(accounts.map(({ email }) => email));
  });

  it('is recorded in the audit log', async () => {
    const { email, user } = await signUp(system);
    await signIn(system, email, PASSWORD, '10.8.8.8');
    const notes = await system.database.query(
      `SELECT action, actor_id, actor_email, target_type, target_name, address FROM auth.audit_entry
       WHERE vault_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [user.vault],
    );
    expect(notes).toEqual([
      {
        action: 'session.started',
        actor_id: user.id,
        actor_email: email,
        target_type: 'session',
        target_name: 'web',
        address: '10.8.8.8',
      },
    ]);
  });

  it('with the previous password is refused, even if it began before the change', async () => {
    const { email, user } = await signUp(system);
    const changing = system.database.query(`
      BEGIN;
      UPDATE auth."user" SET password_hash = 'another' WHERE id = '${user.id}';
      SELECT pg_sleep(1);
      COMMIT`);
    await eventually(async () => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      expect(await system.database.query(sql)).toHaveLength(1);
    });
    await expect(signIn(system, email)).rejects.toMatchObject(refused);
    await changing;
  });

  it('is refused for a disabled user, whose sessions have ended', async () => {
    const { email, user, access, refresh } = await signUp(system);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE email = $1`, [email]);
    await expect(signIn(system, email)).rejects.toMatchObject(refused);
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, access)).toBeNull();
  });
});

describe('too many failures', () => {
  it('block an account, even for the right password and from another address', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 5; i++) await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(refused);
    const limited = { code: 'rate_limited', details: { retry_after: expect.any(Number) } };
    await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(limited);
    const last = (await signIn(system, email).catch((error: unknown) => error)) as { details: { retry_after: number } };
    expect(last).toMatchObject(limited);
    expect(last.details.retry_after).toBeGreaterThan(890);
    expect(last.details.retry_after).toBeLessThanOrEqual(900);
  });

  it('do not block before the limit of five', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 5; i++) await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(refused);
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('stop blocking after 15 minutes', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 6; i++) await signIn(system, email, 'wrong').catch(() => undefined);
    await system.database.query(`UPDATE auth.counted_try SET at = at - interval '15 minutes'`);
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('from one address block only that address', async () => {
    const address = randomAddress();
    const { email } = await signUp(system);
    for (let i = 0; i < 21; i++) await signIn(system, `u${i}@example.org`, 'wrong', address).catch(() => undefined);
    await expect(signIn(system, email, PASSWORD, address)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('are not counted for many concurrent successful sign-ins', async () => {
    const { email } = await signUp(system);
    const address = randomAddress();
    const all = await Promise.all(Array.from({ length: 25 }, () => signIn(system, email, PASSWORD, address)));
    expect(new Set(all.map(({ refresh }) => refresh)).size).toBe(25);
  });

  it('cannot be circumvented by concurrent guesses', async () => {
    const { email } = await signUp(system);
    const guesses = Array.from({ length: 30 }, (_, i) => signIn(system, email, `guess ${i}`));
    const codes = (await Promise.allSettled(guesses)).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'in',
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(25);
  });
});
