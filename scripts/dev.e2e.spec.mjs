import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { keepLogs } from '../e2e/support/keep-logs.ts';
import { eventually } from '../libs/testkit/src/eventually.ts';
import { dataLayout, ROOT } from './lib/layout.mjs';
import { allotPorts } from './lib/servers/allot-ports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'dev-'));
const layout = dataLayout(join(folder, 'data'));
const { gateway } = await allotPorts(join(folder, 'ports.json'), ['gateway']);
const env = { ...process.env, MILLRACE_DATA_DIR: layout.dir, PORT: String(gateway) };

const script = (/** @type {string} */ name) => join(ROOT, 'scripts', `${name}.mjs`);

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
