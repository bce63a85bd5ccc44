import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runs } from '@millrace/sdk/resources';
import { runCli } from './support/run-cli.js';
import { waitForEnd } from './support/run-workflow.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
let folder: string;
beforeAll(async () => {
  account = await signUp();
  folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const home = () => ({ MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: folder, MILLRACE_DATA_DIR: join(folder, 'none') });
const signedIn = () => ({ ...home(), MILLRACE_TOKEN: account.access });

function write(name: string, source: string): string {
  const path = join(folder, name);
  const node = { type: 'SCRIPT', meta: { label: 'result' }, script: { source } };
  writeFileSync(path, JSON.stringify({ name, workflow: { nodes: { 'only-1': node } } }));
  return path;
}

describe('signing in', () => {
  it('is asked for, with what to type', async () => {
    const { code, stderr } = await runCli(['runs'], { env: { ...home(), XDG_CONFIG_HOME: join(folder, 'empty') } });
    expect(code).toBe(2);
    expect(stderr).toContain(`npx millrace login --url ${systemUrl()}`);
  });

  it('with email and password lasts, in a file for its owner alone', async () => {
    const { email, password } = account;
    const login = await runCli(['login', '--email', email], { env: home(), input: `${password}\n` });
    expect(login).toMatchObject({ code: 0, stdout: `Signed in to ${systemUrl()} as ${email}.\n` });
    const file = join(folder, 'millrace', 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    expect(await runCli(['runs'], { env: home() })).toMatchObject({ code: 0 });
  });

  it('renews the session by itself, also in commands that run at once', async () => {
    const file = join(folder, 'millrace', 'credentials.json');
    const credentials = readFileSync(file, 'utf8').replace(
      /"expiresAt": "[^"]*"/,
      '"expiresAt": "2020-01-01T00:00:00Z"',
    );
    writeFileSync(file, credentials);
    const results = await Promise.all([1, 2, 3].map(() => runCli(['runs'], { env: home() })));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('signup makes an account', async () => {
    const args = ['signup', '--email', `cli-${Date.now()}@example.org`];
    const env = { ...home(), XDG_CONFIG_HOME: join(folder, 'new') };
    expect(await runCli(args, { env, input: 'a long enough phrase\n' })).toMatchObject({ code: 0 });
    expect(await runCli(['runs'], { env })).toMatchObject({ code: 0 });
  });

  it('with a wrong password tells so', async () => {
    const env = { ...home(), XDG_CONFIG_HOME: join(folder, 'wrong') };
    const { code, stderr } = await runCli(['login', '--email', account.email], { env, input: 'not it at all\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('invalid_credentials');
  });
});

describe('a run', () => {
  it('that fails ends with 1 and says why', async () => {
    const { code, stdout } = await runCli(['run', write('fails', 'exit 4'), '--watch'], {
      env: signedIn(),
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/only-1 FAILED.*\n[^]*Run \d+ FAILED/);
  });

  it('that was started without --watch is fetched later', async () => {
    const started = await runCli(['run', write('later', 'echo here'), '--json'], { env: signedIn() });
    const { run } = JSON.parse(started.stdout) as { run: { id: string } };
    await waitForEnd(account.client, run.id);
    const fetched = await runCli(['output', run.id, '--name', 'result', '--dir', 'got'], {
      env: signedIn(),
      cwd: folder,
    });
    expect(fetched).toMatchObject({ code: 0, stdout: 'got/result/output.txt\n' });
    expect(readFileSync(join(folder, 'got/result/output.txt'), 'utf8')).toBe('here\n');
    expect((await runCli(['runs'], { env: signedIn() })).stdout).toMatch(
      new RegExp(`^${run.id} +COMPLETED +later`, 'm'),
    );
    expect((await runCli(['logs', run.id, 'only-1', '--follow'], { env: signedIn() })).stdout).toBe('here\n');
  });

  it('is stopped by Ctrl-C, which ends with 130', async () => {
    let pressed = false;
    const { code, stdout } = await runCli(['run', write('long', 'sleep 300'), '--watch'], {
      env: signedIn(),
      cwd: folder,
      onOutput: (text, kill) => {
        if (pressed || !text.includes('only-1 RUNNING')) return;
        pressed = true;
        kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    const id = /Run (\d+) STOPPED/.exec(stdout)?.[1] ?? '';
    expect((await account.client.call(runs.getRun, { params: { id } })).status).toBe('STOPPED');
    expect(existsSync(join(folder, `millrace-${id}`))).toBe(false);
  });

  it.each([
    ['of a file that is not there', ['run', 'nowhere.yaml'], 'ENOENT'],
    ['with an unknown input', ['run', 'examples/wordcount.yaml', '--set', 'txet=x'], 'no input "txet"'],
    ['with an input file that is not there', ['run', 'examples/wordcount.yaml', '--set', 'text=nowhere'], 'no file'],
    ['in an unknown space', ['run', 'examples/checksums.yaml', '--space', 'nowhere'], 'no space "nowhere"'],
  ])('%s is refused', async (_, args, message) => {
    const { code, stderr } = await runCli(args, { env: signedIn() });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
