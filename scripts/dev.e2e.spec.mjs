import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { keepLogs } from '../e2e/support/keep-logs.ts';
import { recordSecret } from '../e2e/support/record-secret.ts';
import { eventually } from '../libs/testkit/src/eventually.ts';
import { dataLayout, ROOT } from './lib/layout.mjs';
import { allotPorts } from './lib/servers/allot-ports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'dev-'));
const layout = dataLayout(join(folder, 'data'));
const { gateway } = await allotPorts(join(folder, 'ports.json'), ['gateway']);
const env = { ...process.env, MILLRACE_DATA_DIR: layout.dir, PORT: String(gateway) };

const script = (/** @type {string} */ name) => join(ROOT, 'scripts', `${name}.mjs`);

/**
 * The gateway accepts changes by session cookies only from its own pages, so it must take those of the development server
 * for its own, and no others.
 * @param {string} address of the development server
 */
async function expectSessionByCookies(address) {
  const body = { email: 'dev@example.org', password: recordSecret(`correct horse ${randomUUID()}`), name: 'Dev' };
  const signUp = await send(`${address}/api/auth/signup`, { origin: address, 'x-millrace-session': 'cookie' }, body);
  expect(signUp.status).toBe(201);
  const cookie = signUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  for (const pair of cookie.split('; ')) recordSecret(pair.split('=')[1] ?? '');
  const signOut = async (/** @type {string} */ origin) =>
    (await send(`${address}/api/auth/logout`, { origin, cookie }, {})).status;
  expect(await signOut('http://127.0.0.1:1')).toBe(403);
  expect(await signOut(address)).toBeLessThan(300);
}

/** @param {string} url @param {Record<string, string>} headers @param {object} body */
const send = (url, headers, body) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

afterAll(() => {
  spawnSync(process.execPath, [script('down')], { cwd: ROOT, env });
  keepLogs(layout.dir, 'dev');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run dev', () => {
  it('starts the system and the development server of the dashboard, and stops both', async () => {
    const dev = spawn(process.execPath, [script('dev')], { cwd: ROOT, env });
    const ended = new Promise((resolve) => dev.once('exit', resolve));
    let output = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (output += chunk));
    await eventually(() => expect(output).toMatch(/^ {2}Dashboard {2}http/m));
    const dashboard = /^ {2}Dashboard {2}(\S+)\/$/m.exec(output)?.[1];
    expect(output).toContain(`  API        http://127.0.0.1:${gateway}/api\n`);

    expect(await (await fetch(`${dashboard}/`)).text()).toContain('/@vite/client');
    expect((await fetch(`${dashboard}/health/ready`)).status).toBe(200);
    await expectSessionByCookies(String(dashboard));
    const status = spawnSync(process.execPath, [script('status')], { cwd: ROOT, env, encoding: 'utf8' });
    expect(status.stdout).toMatch(/^dashboard +\d+ .* ok$/m);
    expect(status.stdout).toContain(`  Dashboard  ${dashboard}/\n`);
    expect(status.status).toBe(0);

    const pids = readdirSync(layout.run).map((file) => Number(readFileSync(join(layout.run, file), 'utf8')));
    dev.kill('SIGINT');
    await ended;
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
