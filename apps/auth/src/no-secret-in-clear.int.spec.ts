import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { approveDevice, deviceToken, requestDeviceCode } from '@millrace/contracts/auth/devices';
import { redeemTicket, signInWithGoogle } from '@millrace/contracts/auth/google';
import { beginMfa, confirmMfa } from '@millrace/contracts/auth/mfa';
import { changePassword, requestReset } from '@millrace/contracts/auth/passwords';
import { regenerateToken } from '@millrace/contracts/auth/users';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { PASSWORD, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { tokenOf } from '@millrace/testkit/vault-of-people';
import { start } from './start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

let requests = 0;
const once = () => ({ idempotencyKey: `request ${requests++}` });

/** All rows of auth and its messages as text; bytes as hexadecimal digits. */
async function dump(): Promise<string> {
  const tables = await system.database.query<{ name: string }>(`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('auth', 'messaging')`);
  const texts = tables.map(({ name }) =>
    system.database.query<{ row: string }>(`SELECT row::text AS row FROM ${name} AS row`),
  );
  return (await Promise.all(texts)).flatMap((rows) => rows.map(({ row }) => row)).join('\n');
}

const SPELLINGS: BufferEncoding[] = ['utf8', 'hex', 'base64', 'base64url'];
const spellingsOf = (secret: string) =>
  SPELLINGS.map((encoding) => Buffer.from(secret).toString(encoding).replace(/=+$/, ''));

it('no password, token, code or key is stored in the database in clear', async () => {
  const account = await signUp(system);
  const { caller, email } = account;
  const secrets = [PASSWORD, account.access, account.refresh, String(account.refresh.split('.')[1])];

  const { token } = await system.callAs(caller, regenerateToken, {}, once());
  const device = await system.callAs(null, requestDeviceCode, { body: { client_id: 'svc-cli' } }, once());
  secrets.push(token, device.device_code, device.user_code, device.user_code.replace('-', ''));
  await system.callAs(caller, approveDevice, { body: { user_code: device.user_code } });
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code' as const;
  const body = { grant_type, device_code: device.device_code, client_id: 'svc-cli' as const };
  const cli = await system.callAs(null, deviceToken, { body }, once());
  secrets.push(cli.access_token, String(cli.refresh_token));

  const { secret } = await system.callAs(caller, beginMfa, {}, once());
  const code = new TOTP({ secret }).generate();
  const { recovery_codes } = await system.callAs(caller, confirmMfa, { body: { code } }, once());
  secrets.push(secret, ...recovery_codes, ...recovery_codes.map((each) => each.replaceAll('-', '')));

  const google = { subject: 'subject', email: 'grace@example.org', name: 'Grace' };
  const { ticket } = await system.callAs(null, signInWithGoogle, { body: google });
  const unused = await system.callAs(null, signInWithGoogle, { body: google });
  const signedIn = await system.callAs(null, redeemTicket, { body: { ticket } }, once());
  secrets.push(ticket, unused.ticket, signedIn.access, signedIn.refresh);

  const password = 'another horse battery';
  const changed = await system.callAs(caller, changePassword, { body: { current_password: PASSWORD, password } });
  secrets.push(password, changed.access, changed.refresh);

  await system.callAs(null, requestReset, { body: { email } });
  const { link } = await mailbox.take(email, 'password_reset');
  secrets.push(tokenOf(link));

  const all = (await dump()).toLowerCase();
  for (const here of ['argon2id', email, 'public key', 'session.started']) expect(all).toContain(here);
  const found = secrets.filter((each) => spellingsOf(each).some((text) => all.includes(text.toLowerCase())));
  expect(found).toEqual([]);
  expect(all).not.toContain(Buffer.from('BEGIN PRIVATE KEY').toString('hex'));
});
