import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { logout, refreshSession } from '@millrace/contracts/auth/sessions';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { callerOf, claimsOf, PASSWORD, signIn, signUp, someAddress } from '@millrace/testkit/sign-up';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const refreshWith = (refresh: string) => system.askAs(null, refreshSession, { body: { refresh } });
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
    await system.database.query(`UPDATE auth.sign_in_failure SET at = at - interval '15 minutes'`);
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

describe('an access token', () => {
  it('is signed with ES256 by a key that can be asked for, and ends after 15 minutes', async () => {
    const { access, expiresAt, user } = await signUp(system);
    const [head = '', payload = '', signature = ''] = access.split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string; kid: string };
    const { keys } = await system.askAs(null, listSigningKeys);
    const key = keys.find(({ kid }) => kid === header.kid);
    expect(header.alg).toBe('ES256');
    expect(
      verify(
        'sha256',
        Buffer.from(`${head}.${payload}`),
        { key: createPublicKey(String(key?.publicKey)), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
    const claims = claimsOf(access);
    expect(claims).toMatchObject({ sub: user.id, vault: user.vault, iss: 'millrace' });
    expect(claims.exp - claims.iat).toBe(15 * 60);
    expect(new Date(expiresAt).getTime()).toBe(claims.exp * 1000);
  });
});

describe('a refresh token', () => {
  it('gives new tokens of the same session, and is then used up', async () => {
    const { access, refresh, user } = await signUp(system);
    const next = await refreshWith(refresh);
    expect(Object.keys(next).sort()).toEqual(['access', 'expiresAt', 'refresh']);
    expect(claimsOf(next.access).sid).toBe(claimsOf(access).sid);
    expect(await callerOf(system, user.id, next.access)).not.toBeNull();
    await expect(refreshWith((await refreshWith(next.refresh)).refresh)).resolves.toBeDefined();
  });

  it('that is used again ends the whole session', async () => {
    const { refresh, user } = await signUp(system);
    const next = await refreshWith(refresh);
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    await expect(refreshWith(next.refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, next.access)).toBeNull();
  });

  it('that is used ten times at once never gives two good ones', async () => {
    const { refresh } = await signUp(system);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => refreshWith(refresh)));
    const given = all.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.refresh);
    expect(given).toHaveLength(1);
    const good = await Promise.allSettled(given.map(refreshWith));
    expect(good.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('that came too late is told so', async () => {
    const { access, refresh } = await signUp(system);
    await system.database.query(`UPDATE auth.session SET expires_at = now() WHERE id = $1`, [claimsOf(access).sid]);
    await expect(refreshWith(refresh)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it.each(['nonsense', 'a.b', '01990000-0000-7000-8000-000000000000.guess'])('"%s" is not valid', async (refresh) => {
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
  });

  it('gives the same tokens to a request that is repeated under its key', async () => {
    const { refresh } = await signUp(system);
    const ask = () =>
      system.askAs(null, refreshSession, { body: { refresh } }, { idempotencyKey: refresh.slice(0, 20) });
    const first = await ask();
    expect(await ask()).toEqual(first);
    await expect(refreshWith(first.refresh)).resolves.toBeDefined();
  });
});

describe('signing out', () => {
  it('ends the session and no other', async () => {
    const { email, caller, user, access, refresh } = await signUp(system);
    const other = await signIn(system, email);
    await expect(system.askAs(caller, logout, { body: { refresh } })).resolves.toEqual({ success: true });
    expect(await callerOf(system, user.id, access)).toBeNull();
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, other.access)).not.toBeNull();
  });

  it('does not end the session of somebody else', async () => {
    const [mine, theirs] = [await signUp(system), await signUp(system)];
    const body = { refresh: theirs.refresh };
    await expect(system.askAs(mine.caller, logout, { body })).resolves.toEqual({ success: false });
    await expect(refreshWith(theirs.refresh)).resolves.toBeDefined();
  });
});
