import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approveDevice, deviceToken, requestDeviceCode } from '@millrace/contracts/auth/devices';
import { changePassword } from '@millrace/contracts/auth/passwords';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { callerOf, PASSWORD, signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

const NEW = 'a better horse battery';
const change = (caller: Caller, current_password = PASSWORD, password = NEW) =>
  system.callAs(caller, changePassword, { body: { current_password, password } });

describe('changing the password', () => {
  it('ends all sessions, begins a new one, and notifies the user', async () => {
    const { caller, email, user, access } = await signUp(system);
    const other = await signIn(system, email);
    const tokens = await change(caller);
    expect(await callerOf(system, user.id, access)).toBeNull();
    expect(await callerOf(system, user.id, other.access)).toBeNull();
    expect(await callerOf(system, user.id, tokens.access)).not.toBeNull();
    await expect(signIn(system, email)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(signIn(system, email, NEW)).resolves.toBeDefined();
    await expect(mailbox.take(email, 'account_changed')).resolves.toMatchObject({ what: 'password_changed' });
    const entries = await system.database.query(
      `SELECT actor_id, target_id FROM auth.audit_entry WHERE vault_id = $1 AND action = 'password.changed'`,
      [user.vault],
    );
    expect(entries).toEqual([{ actor_id: user.id, target_id: user.id }]);
  });

  it('ends pending sign-ins', async () => {
    const { caller } = await signUp(system);
    const { device_code, user_code } = await system.callAs(null, requestDeviceCode, { body: { client_id: 'svc-cli' } });
    await system.callAs(caller, approveDevice, { body: { user_code } });
    await change(caller);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code' as const;
    const polled = system.callAs(null, deviceToken, { body: { grant_type, device_code, client_id: 'svc-cli' } });
    await expect(polled).rejects.toMatchObject({ code: 'access_denied' });
  });

  it('requires the current one; more than five wrong ones block the change, but not signing in', async () => {
    const { caller, email } = await signUp(system);
    for (let i = 0; i < 5; i++)
      await expect(change(caller, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(change(caller, 'wrong')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(change(caller)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(signIn(system, email)).resolves.toBeDefined();
  });

  it('rejects a new one that is easily guessed', async () => {
    const { caller, email } = await signUp(system);
    await expect(change(caller, PASSWORD, 'password123')).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.password': expect.any(String) },
    });
    await expect(signIn(system, email)).resolves.toBeDefined();
  });

  it('is refused for users without a password', async () => {
    const { caller, email } = await signUp(system);
    await system.database.query(`UPDATE auth."user" SET password_hash = NULL, is_google = true WHERE email = $1`, [
      email,
    ]);
    await expect(change(caller)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('succeeds once for two concurrent requests', async () => {
    const { caller, email } = await signUp(system);
    const all = await Promise.allSettled([change(caller, PASSWORD, NEW), change(caller, PASSWORD, `${NEW} 2`)]);
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const passwords = await Promise.allSettled([NEW, `${NEW} 2`].map((password) => signIn(system, email, password)));
    expect(passwords.map(({ status }) => status)).toEqual(all.map(({ status }) => status));
  });
});
