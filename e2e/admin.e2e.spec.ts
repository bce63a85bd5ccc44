import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminTask, AdminUser, AdminVault } from '@millrace/client';
import { adminAudit, deadLetters, logLevel, runs, users } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { CliSession } from './support/cli-session.js';
import { insertDeadMail } from './support/insert-dead-letter.js';
import { vaultOf } from './support/open-sandbox.js';
import { readMail } from './support/read-mail.js';
import { REPOSITORY } from './support/repository.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

const folder = process.env.TEST_DATA_DIR ?? '';

/** Runs `npm run admin` for the system under test. */
const runAdmin = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, MILLRACE_DATA_DIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [join(REPOSITORY, 'scripts/admin.mjs'), ...args], {
    env,
  });
  return stdout;
};

let admin: Account;
let cli: CliSession;
beforeAll(async () => {
  admin = await signUp();
  cli = new CliSession(admin);
});
afterAll(() => cli?.remove());

it('the role is granted and revoked by a command on the server, and takes effect at once', async () => {
  const readUsers = async () => (await rawRequest(admin, 'GET', '/api/admin/users?page_size=1')).status;
  expect(await readUsers()).toBe(403);
  await runAdmin('grant', admin.email);
  await eventually(async () => expect(await readUsers()).toBe(200));
  expect(await runAdmin('list')).toContain(admin.email);
  await runAdmin('revoke', admin.email);
  await eventually(async () => expect(await readUsers()).toBe(403));
  await runAdmin('grant', admin.email);
  await eventually(async () => expect(await readUsers()).toBe(200));
  expect(await admin.client.call(users.getMe)).toMatchObject({ instance_role: 'admin' });
});

it('a suspended user loses session and API token, and gets in again after being resumed', async () => {
  const user = await signUp();
  const { token } = await user.client.call(users.regenerateToken);
  const readStatuses = async () => {
    const headers = { authorization: `Token ${token}` };
    const byToken = await rawRequest(user, 'GET', '/api/users/me', { headers });
    return [(await rawRequest(user, 'GET', '/api/users/me')).status, byToken.status];
  };
  expect(await readStatuses()).toEqual([200, 200]);
  await cli.succeed(['admin', 'users', 'suspend', user.email, '--reason', 'Reported']);
  await eventually(async () => expect(await readStatuses()).toEqual([401, 401]));
  const login = () => {
    const body = JSON.stringify({ email: user.email, password: user.password });
    return rawRequest(user, 'POST', '/api/auth/login', { body });
  };
  expect((await login()).status).toBe(400);
  await cli.succeed(['admin', 'users', 'resume', user.email]);
  expect((await login()).status).toBe(200);
  expect(await cli.json<AdminUser>('admin', 'users', 'get', user.email)).toMatchObject({ state: 'active' });
});

describe('a vault', () => {
  it('starts nothing while it is suspended, and can be read and edited', async () => {
    const owner = await signUp();
    const workflow = await makeWorkflow(owner, { nodes: { 'only-1': script('echo') } });
    const start = () => owner.client.call(runs.createRun, { params: { id: workflow }, body: {} });
    await start();
    await cli.succeed(['admin', 'vaults', 'suspend', owner.email, '--reason', 'Unpaid']);
    await eventually(() =>
      expect(start()).rejects.toMatchObject({
        code: 'forbidden',
        details: { restriction: { reason: 'suspended' } },
      }),
    );
    await makeWorkflow(owner, { nodes: { 'only-1': script('echo again') } });
    await cli.succeed(['admin', 'vaults', 'resume', owner.email]);
    await eventually(start);
  });

  it('has limits of its own, and shows what it uses', async () => {
    const owner = await signUp();
    await owner.client.files.upload('a.txt', new Blob(['12345']));
    const vault = await cli.json<AdminVault>('admin', 'vaults', 'limits', owner.email, '--max-storage', '6');
    expect(vault).toMatchObject({
      id: await vaultOf(owner),
      limits: { storage_bytes: 6, active_runs: null },
      usage: { stored_bytes: 5, active_runs: 0, live_rows: 0, execution_units: 0 },
    });
    // Until the limit is known, files are accepted. The same file again would need no more storage.
    let uploads = 0;
    const upload = () => owner.client.files.upload(`${uploads++}.txt`, new Blob(['67']));
    await eventually(() => expect(upload()).rejects.toMatchObject({ code: 'payload_too_large' }));
  });
});

it('a dead job is processed again on request', async () => {
  const { email } = await signUp();
  const id = await insertDeadMail(email);
  const query = { name: 'auth.passwords.mailPasswordReset', page_size: 1_000 };
  const { results } = await admin.client.call(deadLetters.listDeadLetters, { query });
  const found = results.find((letter) => letter.id === id);
  expect(found?.payload).toEqual({ email: `text of ${email.length} characters` });
  expect(await cli.succeed(['admin', 'dead', 'retry', id])).toBe('1 dead letter will be handled again.\n');
  expect((await readMail(email, /password/i)).link).not.toBeNull();
});

it('dead letters are not chosen by an empty request', async () => {
  for (const operation of [deadLetters.retryDeadLetters, deadLetters.dropDeadLetters]) {
    await expect(admin.client.call(operation, { body: {} })).rejects.toMatchObject({ code: 'validation_error' });
  }
  expect(await cli.fail(['admin', 'dead', 'drop', '--yes'])).toContain('Name ids');
});

it('every service carries out all its checks', async () => {
  const { stdout } = await eventually(async () => {
    const result = await cli.run(['admin', 'check', '--json']);
    // Another suite may have a check of its own under way.
    expect(result.stderr).not.toContain('has not ended');
    return result;
  });
  const task = JSON.parse(stdout) as AdminTask;
  expect(task.state).toBe('done');
  for (const { service, state, done, total, findings } of task.parts) {
    expect({ service, state, done }).toEqual({ service, state: 'done', done: total });
    expect({ service, failed: findings.filter(({ status }) => status === 'failed') }).toEqual({ service, failed: [] });
  }
  expect(task.parts).toHaveLength(6);
});

it('indexes are rebuilt while the system runs', async () => {
  const text = await eventually(() => cli.succeed(['admin', 'reindex', '--index', 'billing.plan_pkey']));
  expect(text).toMatch(/billing +done +2\/2/);
});

it('each change is in the audit log of the installation', async () => {
  await admin.client.call(logLevel.setLogLevel, { body: { service: 'billing', level: 'trace', minutes: 1 } });
  const { results } = await admin.client.call(adminAudit.listAdminAudit, { query: { actor: admin.user } });
  expect(new Set(results.map(({ action }) => action))).toEqual(
    new Set([
      ...['log_level.changed', 'reindex.started', 'check.started', 'dead_letters.retried', 'vault.limits_changed'],
      ...['vault.resumed', 'vault.suspended', 'user.resumed', 'user.suspended'],
    ]),
  );
});
