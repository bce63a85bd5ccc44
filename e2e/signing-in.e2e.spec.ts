import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { devices, passwords, sessions } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { readMail } from './support/read-mail.js';
import { recordSecret } from './support/record-secret.js';
import { runCli, runCliApart } from './support/run-cli.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
let folder: string;
beforeAll(async () => {
  account = await signUp();
  folder = mkdtempSync(join(tmpdir(), 'millrace-signing-in-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: folder, MILLRACE_DATA_DIR: join(folder, 'none') });

/** Runs `millrace login`, and approves or denies it as the user of `account` does in the browser. */
function loginAndDecide(approve: boolean) {
  let decision: Promise<unknown> | undefined;
  return runCliApart(['login'], {
    env: env(),
    onOutput: (text) => {
      const [, user_code] = /this code: (\S+)/.exec(text) ?? [];
      if (user_code === undefined) return;
      decision ??= account.client.call(devices.approveDevice, { body: { user_code, approve } });
    },
  });
}

const clients = async () =>
  (await account.client.call(sessions.listSessions)).results
    .map(({ client }) => client)
    .filter((name) => name === 'svc-cli');

describe('millrace login through the browser', () => {
  it('signs in as the user who approves it, until a logout', async () => {
    const login = await loginAndDecide(true);
    expect(login).toMatchObject({ code: 0, stdout: `Signed in to ${systemUrl()} as ${account.email}.\n` });
    expect((await runCli(['whoami'], { env: env() })).stdout).toContain(account.email);
    expect(await clients()).toHaveLength(1);
    expect(await runCli(['logout'], { env: env() })).toMatchObject({ code: 0 });
    expect(await clients()).toHaveLength(0);
    expect((await runCli(['whoami'], { env: env() })).code).toBe(3);
  });

  it('fails if the user denies it', async () => {
    const { code, stderr } = await loginAndDecide(false);
    expect(code).toBe(2);
    expect(stderr).toContain('denied in the browser');
  });
});

describe('a forgotten password', () => {
  it('is reset through the link of a mail, which ends all sessions and sends a confirmation mail', async () => {
    const { email, client, password } = await signUp();
    await client.call(passwords.requestReset, { body: { email } });
    const { link } = await readMail(email, /new password/);
    expect(link?.href).toContain(`${systemUrl()}/password-reset?token=`);
    const token = link?.searchParams.get('token') ?? '';
    const next = recordSecret(`another ${password}`);
    await client.call(passwords.confirmReset, { body: { token, password: next } });
    // Gateways may cache a session for another second.
    await eventually(() => expect(client.call(sessions.listSessions)).rejects.toMatchObject({ status: 401 }));
    await expect(client.call(sessions.login, { body: { email, password } })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect(await client.call(sessions.login, { body: { email, password: next } })).toMatchObject({ user: { email } });
    expect((await readMail(email, /password was changed/)).text).toContain('If you made this change');
  });
});
