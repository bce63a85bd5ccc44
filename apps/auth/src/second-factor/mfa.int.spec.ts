import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { leaveVault } from '@millrace/contracts/auth/members';
import { beginMfa, confirmMfa, removeMfa } from '@millrace/contracts/auth/mfa';
import { login } from '@millrace/contracts/auth/sessions';
import { getMe } from '@millrace/contracts/auth/users';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { PASSWORD, signUp, randomAddress } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  // Two copies of the service, because one serializes the sign-ins of an account.
  system = await startApps([start, start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

type Shown = { code: string } | { recovery_code: string };

const signIn = (email: string, mfa_code?: Shown, password = PASSWORD, address = randomAddress()) =>
  system.callAs(null, login, { body: { email, password, ...(mfa_code && { mfa_code }) } }, { address });

/** The current code, or the one of some steps of 30 s from now. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Resets the last accepted time step, as if it were long ago. */
const forgetSteps = (email: string) =>
  system.database.query(`UPDATE auth."user" SET mfa_step = mfa_step - 100 WHERE email = $1`, [email]);

/** Six digits that are no valid code. */
function wrongCode(secret: string): string {
  const counting = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !counting.includes(code),
  ) as string;
}

async function withMfa() {
  const account = await signUp(system);
  const { secret } = await system.callAs(account.caller, beginMfa);
  const { recovery_codes } = await system.callAs(account.caller, confirmMfa, { body: { code: codeOf(secret) } });
  await forgetSteps(account.email);
  return { ...account, secret, codes: recovery_codes };
}

const failuresAt = async () => (await system.database.query('SELECT 1 FROM auth.counted_try')).length;
const actions = async (vault: string) =>
  (
    await system.database.query<{ action: string }>(
      `SELECT action FROM auth.audit_entry WHERE vault_id = $1 AND action LIKE 'mfa%' ORDER BY created_at`,
      [vault],
    )
  ).map(({ action }) => action);

describe('enabling the second factor', () => {
  it('takes effect with the first code, returns ten recovery codes, and notifies the user', async () => {
    const { caller, email, user } = await signUp(system);
    const { secret, otpauth_url } = await system.callAs(caller, beginMfa);
    expect(otpauth_url).toContain(`secret=${secret}`);
    await expect(signIn(email)).resolves.toBeDefined();
    expect(await system.callAs(caller, getMe)).toMatchObject({ mfa_enabled: false });
    const { recovery_codes } = await system.callAs(caller, confirmMfa, { body: { code: codeOf(secret) } });
    expect(await system.callAs(caller, getMe)).toMatchObject({ mfa_enabled: true });
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}(-[B-DF-HJ-NP-TV-XZ]{4}){2}$/);
    await expect(mailbox.take(email, 'account_changed')).resolves.toMatchObject({ what: 'mfa_enabled' });
    expect(await actions(user.vault)).toEqual(['mfa.enabled']);
  });

  it('can be restarted before that, which invalidates the earlier secret', async () => {
    const { caller } = await signUp(system);
    const earlierSecret = await system.callAs(caller, beginMfa);
    const { secret } = await system.callAs(caller, beginMfa);
    const confirm = (code: string) => system.callAs(caller, confirmMfa, { body: { code } });
    await expect(confirm(codeOf(earlierSecret.secret))).rejects.toMatchObject({ code: 'invalid_mfa_code' });
    await expect(confirm(codeOf(secret))).resolves.toBeDefined();
  });

  it('is refused while one is enabled, which stays unchanged', async () => {
    const { caller, email, secret } = await withMfa();
    await expect(system.callAs(caller, beginMfa)).rejects.toMatchObject({ code: 'validation_error' });
    const again = { body: { code: codeOf(secret) } };
    await expect(system.callAs(caller, confirmMfa, again)).rejects.toMatchObject({ code: 'validation_error' });
    await expect(signIn(email, { code: codeOf(secret) })).resolves.toBeDefined();
  });

  it('cannot be confirmed before it was begun', async () => {
    const { caller } = await signUp(system);
    const confirming = system.callAs(caller, confirmMfa, { body: { code: '123456' } });
    await expect(confirming).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('is refused for users who sign in with Google', async () => {
    const { caller, email } = await signUp(system);
    await system.database.query(`UPDATE auth."user" SET is_google = true WHERE email = $1`, [email]);
    await expect(system.callAs(caller, beginMfa)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('is blocked after more than five wrong first codes', async () => {
    const { caller } = await signUp(system);
    const { secret } = await system.callAs(caller, beginMfa);
    const confirm = (code: string) => system.callAs(caller, confirmMfa, { body: { code } });
    for (let i = 0; i < 5; i++)
      await expect(confirm(wrongCode(secret))).rejects.toMatchObject({ code: 'invalid_mfa_code' });
    await expect(confirm(wrongCode(secret))).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(confirm(codeOf(secret))).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('signing in with a second factor', () => {
  it('requests a code only if the password is right', async () => {
    const { email, secret } = await withMfa();
    await expect(signIn(email)).rejects.toMatchObject({ code: 'mfa_required' });
    await expect(signIn(email, undefined, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    const right = { code: codeOf(secret) };
    await expect(signIn(email, right, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(signIn(email, right)).resolves.toMatchObject({ user: { email, mfa_enabled: true } });
  });

  it('ignores a code if no second factor is enabled', async () => {
    const { email } = await signUp(system);
    await expect(signIn(email, { code: '123456' })).resolves.toBeDefined();
  });

  it.each([-1, 1])('accepts a code that is %d step off, but not two', async (steps) => {
    const { email, secret } = await withMfa();
    // In the middle of a step, so that the step is still the same when the code arrives.
    const into = Date.now() % 30_000;
    if (into > 25_000) await new Promise((resolve) => setTimeout(resolve, 30_000 - into));
    await expect(signIn(email, { code: codeOf(secret, 2 * steps) })).rejects.toMatchObject({
      code: 'invalid_mfa_code',
    });
    await expect(signIn(email, { code: codeOf(secret, steps) })).resolves.toBeDefined();
  });

  it('accepts no code twice, and none that is earlier than an accepted one', async () => {
    const { email, secret } = await withMfa();
    const [now, next] = [codeOf(secret), codeOf(secret, 1)];
    await expect(signIn(email, { code: next })).resolves.toBeDefined();
    await expect(signIn(email, { code: next })).rejects.toMatchObject({ code: 'invalid_mfa_code' });
    await expect(signIn(email, { code: now })).rejects.toMatchObject({ code: 'invalid_mfa_code' });
  });

  it('does not accept the code again that enabled it', async () => {
    const { caller, email } = await signUp(system);
    const { secret } = await system.callAs(caller, beginMfa);
    const code = codeOf(secret);
    await system.callAs(caller, confirmMfa, { body: { code } });
    await expect(signIn(email, { code })).rejects.toMatchObject({ code: 'invalid_mfa_code' });
  });

  it('accepts one of several concurrent requests with the same code', async () => {
    const { email, secret } = await withMfa();
    const code = codeOf(secret);
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => signIn(email, { code })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('counts a wrong code as a wrong password', async () => {
    const { email, secret } = await withMfa();
    for (let i = 0; i < 5; i++) {
      const guess = signIn(email, { code: wrongCode(secret) });
      await expect(guess).rejects.toMatchObject({ code: 'invalid_mfa_code' });
    }
    await expect(signIn(email, { code: wrongCode(secret) })).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(signIn(email, { code: codeOf(secret) })).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('also counts wrong codes for the address', async () => {
    const address = randomAddress();
    for (let i = 0; i < 4; i++) {
      const { email, secret } = await withMfa();
      for (let j = 0; j < 5; j++) {
        await signIn(email, { code: wrongCode(secret) }, PASSWORD, address).catch(() => undefined);
      }
    }
    const { email } = await signUp(system);
    await expect(signIn(email, undefined, 'wrong', address)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('neither counts nor clears failures if only the code is missing', async () => {
    const { email, secret } = await withMfa();
    for (let i = 0; i < 4; i++) await signIn(email, undefined, 'wrong').catch(() => undefined);
    const before = await failuresAt();
    for (let i = 0; i < 8; i++) await expect(signIn(email)).rejects.toMatchObject({ code: 'mfa_required' });
    expect(await failuresAt()).toBe(before);
    await expect(signIn(email, { code: codeOf(secret) })).resolves.toBeDefined();
    // The failures of the account are cleared, but not the failures of the addresses.
    expect(await failuresAt()).toBe(before - 4);
  });
});

describe('a recovery code', () => {
  it('replaces the app once, in any spelling, and is recorded', async () => {
    const { email, user, codes } = await withMfa();
    const [first = '', second = ''] = codes;
    await expect(signIn(email, { recovery_code: first })).resolves.toBeDefined();
    await expect(signIn(email, { recovery_code: first })).rejects.toMatchObject({ code: 'invalid_mfa_code' });
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')}`;
    await expect(signIn(email, { recovery_code: typed })).resolves.toBeDefined();
    expect(await actions(user.vault)).toEqual(['mfa.enabled', ...Array<string>(2).fill('mfa.recovery_code_used')]);
  });

  it('works for one of several concurrent requests', async () => {
    const { email, codes } = await withMfa();
    const recovery_code = String(codes[3]);
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => signIn(email, { recovery_code })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('of another user is rejected', async () => {
    const [own, other] = [await withMfa(), await withMfa()];
    const guess = signIn(own.email, { recovery_code: String(other.codes[0]) });
    await expect(guess).rejects.toMatchObject({ code: 'invalid_mfa_code' });
  });
});

describe('disabling the second factor', () => {
  it('makes the password sufficient again, and deletes secret and recovery codes', async () => {
    const { caller, email, user } = await withMfa();
    await expect(system.callAs(caller, removeMfa)).resolves.toEqual({ success: true });
    await expect(signIn(email)).resolves.toMatchObject({ user: { mfa_enabled: false } });
    const left = await system.database.query('SELECT 1 FROM auth.recovery_code WHERE user_id = $1', [user.id]);
    expect(left).toEqual([]);
    for (const what of ['mfa_enabled', 'mfa_disabled'])
      await expect(mailbox.take(email, 'account_changed')).resolves.toMatchObject({ what });
    expect(await actions(user.vault)).toEqual(['mfa.enabled', 'mfa.disabled']);
  });

  it('and enabling it require a sign-in within the last 15 minutes', async () => {
    const { caller } = await signUp(system);
    const age = (sql: string) =>
      system.database.query(`UPDATE auth.session SET ${sql} WHERE id = $1`, [caller.session]);
    const { session: _, ...tokenHolder } = caller;
    await expect(system.callAs(tokenHolder, removeMfa)).rejects.toMatchObject({ code: 'forbidden' });
    await age("client = 'svc-cli'");
    await expect(system.callAs(caller, removeMfa)).rejects.toMatchObject({ code: 'forbidden' });
    await age("client = 'web', created_at = now() - interval '16 minutes'");
    for (const operation of [removeMfa, beginMfa, leaveVault]) {
      await expect(system.callAs(caller, operation)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await age("created_at = now() - interval '14 minutes'");
    await expect(system.callAs(caller, removeMfa)).resolves.toBeDefined();
  });

  it('reports if there was none', async () => {
    const { caller, user } = await signUp(system);
    await expect(system.callAs(caller, removeMfa)).resolves.toEqual({ success: false });
    expect(await actions(user.vault)).toEqual([]);
  });
});
