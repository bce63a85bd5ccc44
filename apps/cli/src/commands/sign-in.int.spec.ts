import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccount } from '../account/credentials-file.js';
import { CliHost } from '../testing/cli-host.js';
import { fakeAuth } from '../testing/fake-auth.js';
import { type CliCall, type CliCommand, spawnCli } from '../testing/spawn-cli.js';

let folder: string;
const host = new CliHost();
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-sign-in-'));
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});

afterAll(() => host.close());

type Script = Parameters<typeof fakeAuth>[0];

async function withAuth(script: Partial<Script> = {}) {
  const server = await fakeAuth({ polls: ['approved'], ...script });
  open.push(server);
  const env = { MILLRACE_URL: server.url, XDG_CONFIG_HOME: folder, MILLRACE_DATA_DIR: join(folder, 'none') };
  const cli = (args: string[], more: Partial<CliCommand> = {}) =>
    host.run(args, { ...more, env: { ...env, ...more.env } });
  /** In a process of its own, for signals and for commands at the same time. */
  const cliApart = (args: string[], more: Partial<CliCall> = {}) => spawnCli(args, { ...more, env });
  return { server, cli, cliApart };
}

/** The name of the profile of a server if the user gives none. */
const hostOf = (url: string): string => new URL(url).host;
const file = () => join(folder, 'millrace', 'credentials.json');
const stored = async () => JSON.parse(await readFile(file(), 'utf8')) as { profiles: Record<string, unknown> };

it('a command with an expired session reports a server that does not respond', async () => {
  const url = 'http://127.0.0.1:1';
  const session = { access: 'a.b.c', refresh: 'r', expiresAt: '2020-01-01T00:00:00.000Z' };
  await saveAccount(file(), url, { session });
  for (const command of ['runs', 'logout']) {
    const { code, stdout, stderr } = await host.run([command], { env: { XDG_CONFIG_HOME: folder } });
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^No server responds at http:\/\/127\.0\.0\.1:1 .*\nStart Millrace with: npm run up\n/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  }
});

describe('login', () => {
  it('shows address and code, waits for the approval, and stores the session in a file that only its owner can read', async () => {
    const { server, cli } = await withAuth({ polls: ['authorization_pending', 'approved'] });
    const { code, stdout, stderr } = await cli(['login']);
    expect(stderr).toContain(`  ${server.url}/device?user_code=BCDF-GHJK\n`);
    expect(stderr).toContain('this code: BCDF-GHJK');
    expect(stdout).toBe(`Signed in to ${server.url} as ada@example.org.\n`);
    expect(code).toBe(0);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const { profiles } = await stored();
    expect(profiles[hostOf(server.url)]).toMatchObject({ email: 'ada@example.org', session: { refresh: 'r1' } });
    const { session } = profiles[hostOf(server.url)] as { session: { expiresAt: string } };
    const left = Date.parse(session.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(800_000);
    expect(left).toBeLessThanOrEqual(900_000);
  });

  it.each([
    ['access_denied', 'denied in the browser'],
    ['expired_token', 'The code expired'],
  ] as const)('fails with an explanation if a poll returns %s', async (poll, words) => {
    const { cli } = await withAuth({ polls: [poll] });
    const { code, stderr } = await cli(['login', '--no-browser']);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('is cancelled by Ctrl-C', async () => {
    const { cliApart } = await withAuth({ polls: ['authorization_pending'], interval: 60 });
    let pressed = false;
    const { code, stderr } = await cliApart(['login'], {
      onOutput: (text, kill) => {
        if (pressed || !text.includes('Waiting')) return;
        pressed = true;
        kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/Not signed in\.\n$/);
  });

  it('prompts for the second factor after the password', async () => {
    const { server, cli } = await withAuth({ mfa: { code: '123456' } });
    const { code, stderr } = await cli(['login', '--email', 'ada@example.org'], { input: 'the password\n123 456\n' });
    expect(stderr).toContain('Authentication code');
    expect(code).toBe(0);
    expect((await stored()).profiles[hostOf(server.url)]).toMatchObject({ session: { refresh: 'r1' } });
    expect(await readFile(file(), 'utf8')).not.toContain('the password');
  });

  it('accepts a recovery code instead of the second factor', async () => {
    const { cli } = await withAuth({ mfa: { recovery_code: 'BCDFG-HJKLM' } });
    const input = 'the password\nBCDFG-HJKLM\n';
    expect(await cli(['login', '--email', 'ada@example.org'], { input })).toMatchObject({ code: 0 });
    const wrong = await cli(['login', '--email', 'ada@example.org'], { input: 'the password\n000000\n' });
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain('invalid_mfa_code');
  });
});

describe('a sign-in with a token', () => {
  const storedToken = async (url: string) => (await stored()).profiles[hostOf(url)];

  it('reads the token from standard input and does not show it', async () => {
    const { server, cli } = await withAuth();
    const token = server.auth.access;
    const { code, stdout, stderr } = await cli(['login', '--token', '-'], { input: `${token}\n` });
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(token);
    expect(stderr).toMatch(new RegExp(`^Signing in to ${server.url}\n`));
    expect(await storedToken(server.url)).toEqual({ url: server.url, email: 'ada@example.org', token });
  });

  it('rejects a token as an argument without showing it', async () => {
    const { server, cli } = await withAuth();
    const { code, stdout, stderr } = await cli(['login', '--token', server.auth.access]);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(server.auth.access);
    expect(stderr).toContain('Use --token - and enter the token');
  });

  it.each(['', 'secret token', 'secret\u0007'])('rejects %j without showing it', async (input) => {
    const { server, cli } = await withAuth();
    const { code, stderr } = await cli(['login', '--token', '-'], { input: `${input}\n` });
    expect(code).toBe(2);
    expect(stderr).toContain('This is not a token');
    expect(stderr).not.toContain('secret');
    expect(server.received).toEqual([]);
  });

  it('requires --token: with MILLRACE_TOKEN alone, login uses the browser', async () => {
    const { server, cli } = await withAuth();
    const { code, stderr } = await cli(['login'], { env: { MILLRACE_TOKEN: server.auth.access } });
    expect(code).toBe(0);
    expect(stderr).toContain('this code: BCDF-GHJK');
    expect(stderr).toContain('MILLRACE_TOKEN is set and takes precedence over this sign-in.');
    expect(await storedToken(server.url)).toMatchObject({ session: { refresh: 'r1' } });
  });

  it('rejects a token in the environment that no header can contain, without showing it', async () => {
    const { cli } = await withAuth();
    const { code, stderr } = await cli(['whoami'], { env: { MILLRACE_TOKEN: 'secret\ntoken' } });
    expect(code).toBe(2);
    expect(stderr).toBe('MILLRACE_TOKEN: must be a token without spaces and line breaks\n');
  });
});

describe('a session of a device grant', () => {
  it('is renewed automatically, once for all commands that run at the same time', async () => {
    const { server, cli, cliApart } = await withAuth({ accessLifetime: 1 });
    // The access token ends within half a minute, so the next command renews the session.
    expect(await cli(['login'])).toMatchObject({ code: 0 });
    const results = await Promise.all([1, 2, 3, 4].map(() => cliApart(['whoami'])));
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(Array(4).fill([0, '']));
    expect(server.received.filter(({ url }) => url === '/api/auth/token-refresh')).toHaveLength(1);
    expect(server.auth.ended).toBe(false);
    expect((await stored()).profiles[hostOf(server.url)]).toMatchObject({
      email: 'ada@example.org',
      session: { refresh: 'r2' },
    });
  });
});

describe('a state file in the current folder', () => {
  const writeStateFile = async (address: string) => {
    await mkdir(join(folder, '.millrace'));
    await writeFile(join(folder, '.millrace', 'state.json'), JSON.stringify({ address }));
  };

  it('does not lead MILLRACE_TOKEN to its server, because the user did not name it', async () => {
    const { server } = await withAuth();
    await writeStateFile(server.url);
    const env = { XDG_CONFIG_HOME: folder, MILLRACE_TOKEN: server.auth.access };
    const { code, stderr } = await host.run(['whoami'], { env, cwd: folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^MILLRACE_TOKEN .* --url\.\n$/) });
    expect(server.received).toEqual([]);
    expect((await host.run(['whoami', '--url', server.url], { env, cwd: folder })).code).toBe(0);
    expect((await host.run(['whoami'], { env: { ...env, MILLRACE_URL: server.url }, cwd: folder })).code).toBe(0);
  });

  it('does not lead the credentials of another server to its server, not even at another sign-in', async () => {
    const { server: planted } = await withAuth();
    const { server, cli } = await withAuth();
    await writeStateFile(planted.url);
    await cli(['login']);
    const call = { env: { XDG_CONFIG_HOME: folder }, cwd: folder };
    expect((await host.run(['whoami'], call)).stdout).toContain(`at ${server.url}\n`);
    const again = await host.run(['login', '--email', 'ada@example.org'], { ...call, input: 'the password\n' });
    expect(again.stdout).toContain(`Signed in to ${server.url}`);
    expect(planted.received).toEqual([]);
  });
});

it.each([
  ['login', 'Signing in to'],
  ['signup', 'Creating an account at'],
])('%s shows the address of the server before it prompts for the password', async (command, words) => {
  const { server, cli } = await withAuth();
  const { stderr } = await cli([command, '--email', 'ada@example.org']);
  expect(stderr).toMatch(new RegExp(`^${words} ${server.url}\n.*Password`));
});

it('whoami shows the user, the role and the server', async () => {
  const { server, cli } = await withAuth();
  await cli(['login']);
  expect((await cli(['whoami'])).stdout).toBe(`ada@example.org (Ada), owner of the vault, at ${server.url}\n`);
  expect(JSON.parse((await cli(['whoami', '--json'])).stdout)).toMatchObject({ user: { email: 'ada@example.org' } });
});

describe('logout', () => {
  it('ends the session at the server and deletes the credentials', async () => {
    const { server, cli } = await withAuth({ accessLifetime: 1 });
    await cli(['login']);
    expect(await cli(['logout'])).toMatchObject({ code: 0, stdout: `Signed out of ${server.url}.\n` });
    expect(server.received.at(-1)).toMatchObject({ url: '/api/auth/logout', body: '{"refresh":"r2"}' });
    expect(server.auth.ended).toBe(true);
    expect(await stored()).toEqual({ version: 2, profiles: {} });
    expect((await cli(['whoami'])).stderr).toContain('You are not signed in');
    expect((await cli(['logout'])).stdout).toBe(`You were not signed in to ${server.url}.\n`);
  });

  it('deletes the credentials of a session that has already ended', async () => {
    const { server, cli } = await withAuth();
    await cli(['login']);
    server.auth.ended = true;
    expect(await cli(['logout'])).toMatchObject({ code: 0 });
    expect(await stored()).toEqual({ version: 2, profiles: {} });
  });

  it('deletes the credentials even if the server does not respond, and reports that', async () => {
    const { server, cli } = await withAuth();
    await cli(['login']);
    await server.close();
    const { code, stderr } = await cli(['logout']);
    expect(code).toBe(5);
    expect(stderr).toContain('No server responds');
    expect(await stored()).toEqual({ version: 2, profiles: {} });
  });

  it('deletes a stored token without revoking it, and reports that', async () => {
    const { server, cli } = await withAuth();
    await cli(['login']);
    const { profiles } = await stored();
    const { access } = (profiles[hostOf(server.url)] as { session: { access: string } }).session;
    await cli(['login', '--token', '-'], { input: `${access}\n` });
    expect((await cli(['logout'])).stdout).toContain('remains valid until you create another one');
    expect(server.auth.ended).toBe(false);
    expect((await cli(['logout'], { env: { MILLRACE_TOKEN: access } })).stderr).toContain('MILLRACE_TOKEN is set');
  });
});
