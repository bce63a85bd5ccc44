import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { eventually } from '@millrace/testkit/eventually';
import { callerOf, PASSWORD, signIn, signUp, someAddress } from '@millrace/testkit/sign-up';
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
  it('gives tokens and the user; the email may be written in any case', async () => {
    const { email, user } = await signUp(system);
    const answer = await signIn(system, ` ${email.toUpperCase()} `);
    expect(answer.user).toEqual(user);
    expect(await callerOf(system, user.id, answer.access)).toMatchObject({ user: user.id });
  });

  it('answers the same to a wrong password and to an unknown email', async () => {
    const { email } = await signUp(system);
    const wrong = await signIn(system, email, 'wrong password').catch((error: unknown) => error);
    const unknown = await signIn(system, 'nobody@example.org', 'wrong password').catch((error: unknown) => error);
    expect(wrong).toMatchObject(refused);
    expect(unknown).toEqual(wrong);
  });

  it.each(['', 'no address', "'; DROP TABLE"])('refuses %j like any unknown email', async (email) => {
    await expect(signIn(system, email)).rejects.toMatchObject(refused);
  });

  it('refuses an email that no database could hold like any unknown one', async () => {
    await expect(signIn(system, 'a\0@example.org')).rejects.toMatchObject(refused);
  });

  it('lets twenty in who come at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => signUp(system)));
    const answers = await Promise.all(accounts.map(({ email }) => signIn(system, email, PASSWORD, '10.9.9.9')));
    expect(answers.map(({ user }) => user.email)).toEqual(accounts.map(({ email }) => email));
  });

  it('is noted in the audit log', async () => {
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

  it('with the former password is refused, though it began before that was changed', async () => {
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

  it('refuses a disabled user, and ends their sessions', async () => {
    const { email, user, access, refresh } = await signUp(system);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE email = $1`, [email]);
    await expect(signIn(system, email)).rejects.toMatchObject(refused);
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, access)).toBeNull();
  });
});

describe('too many failures', () => {
  it('at one account end the trying, also with the right password and from elsewhere', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 5; i++) await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(refused);
    const limited = { code: 'rate_limited', details: { retry_after: expect.any(Number) } };
    await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(limited);
    const last = (await signIn(system, email).catch((error: unknown) => error)) as { details: { retry_after: number } };
    expect(last).toMatchObject(limited);
    expect(last.details.retry_after).toBeGreaterThan(890);
    expect(last.details.retry_after).toBeLessThanOrEqual(900);
  });

  it('are not yet five of them', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 5; i++) await expect(signIn(system, email, 'wrong')).rejects.toMatchObject(refused);
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('are over after a quarter of an hour', async () => {
    const { email } = await signUp(system);
    for (let i = 0; i < 6; i++) await signIn(system, email, 'wrong').catch(() => undefined);
    await system.database.query(`UPDATE auth.counted_try SET at = at - interval '15 minutes'`);
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('from one address end the trying there, and there only', async () => {
    const address = someAddress();
    const { email } = await signUp(system);
    for (let i = 0; i < 21; i++) await signIn(system, `u${i}@example.org`, 'wrong', address).catch(() => undefined);
    await expect(signIn(system, email, PASSWORD, address)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(signIn(system, email)).resolves.toMatchObject({ user: { email } });
  });

  it('do not come about by signing in rightly many times at once', async () => {
    const { email } = await signUp(system);
    const address = someAddress();
    const all = await Promise.all(Array.from({ length: 25 }, () => signIn(system, email, PASSWORD, address)));
    expect(new Set(all.map(({ refresh }) => refresh)).size).toBe(25);
  });

  it('cannot be gone round by guessing many times at once', async () => {
    const { email } = await signUp(system);
    const guesses = Array.from({ length: 30 }, (_, i) => signIn(system, email, `guess ${i}`));
    const codes = (await Promise.allSettled(guesses)).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'in',
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(25);
  });
});
