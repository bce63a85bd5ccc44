import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { keepLogs } from '../e2e/support/keep-logs.ts';
import { eventually } from '../libs/testkit/src/eventually.ts';
import { dataLayout, ROOT } from './lib/layout.mjs';
import { allotPorts } from './lib/servers/allot-ports.mjs';
import { SERVICES } from './lib/services.mjs';

const folder = mkdtempSync(join(tmpdir(), 'up-'));
const layout = dataLayout(join(folder, 'data'));
const { gateway } = await allotPorts(join(folder, 'ports.json'), ['gateway']);
const env = { ...process.env, MILLRACE_DATA_DIR: layout.dir, LOG_LEVEL: 'trace', PORT: String(gateway) };

/** @param {string[]} args */
function run(...args) {
  const [script = '', ...flags] = args;
  const options = /** @type {const} */ ({ cwd: ROOT, env, encoding: 'utf8', timeout: 90_000 });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts', `${script}.mjs`), ...flags],
    options,
  );
  return { code: status, text: stdout + stderr };
}

const pids = () => readdirSync(layout.run).map((file) => Number(readFileSync(join(layout.run, file), 'utf8')));
const supervisor = () => JSON.parse(readFileSync(layout.lock, 'utf8')).pid;

afterAll(() => {
  run('down');
  keepLogs(layout.dir, 'up');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run up', () => {
  it('starts all servers and services, one process each, and prints the address', () => {
    const { code, text } = run('up', '--detach');
    expect(text).toContain(`  Dashboard  http://127.0.0.1:${gateway}/\n`);
    expect(text).toContain(`  Docs       http://127.0.0.1:${gateway}/api/docs\n`);
    expect(code).toBe(0);
    const names = readdirSync(layout.run).map((file) => file.replace('.pid', ''));
    expect(names.sort()).toEqual(['postgres', 'redis', 'nats', ...SERVICES].sort());
    expect(new Set(pids()).size).toBe(names.length);
  });

  it('reports that the system is already up', () => {
    expect(run('up', '--detach')).toMatchObject({ code: 0, text: expect.stringContaining('already up') });
  });

  it('makes npm run status show every process as healthy', () => {
    const { code, text } = run('status');
    for (const name of ['postgres', 'redis', 'nats', ...SERVICES])
      expect(text).toMatch(new RegExp(`^${name} +\\d+ .* ok$`, 'm'));
    expect(text).toContain(`  Mail       ${join(layout.dir, 'mail')} (0 mails; `);
    expect(code).toBe(0);
  });

  it.each([
    ['outbox', /^The outbox has no pending entries\.$|^Pending outbox entries:$/m],
    ['queues', /^subjobs-default +\d+ +\d+ /m],
    ['streams', /^runs\.run\.finished +notifications +\d+ /m],
  ])('makes npm run inspect show the %s', (view, expected) => {
    expect(run('inspect', view)).toMatchObject({ code: 0, text: expect.stringMatching(expected) });
  });

  it('leaves a service to npm run dev, and restarts it when that ends', async () => {
    const dev = spawn(process.execPath, [join(ROOT, 'scripts', 'dev.mjs'), 'billing'], { cwd: ROOT, env });
    const ended = new Promise((resolve) => dev.once('exit', resolve));
    await eventually(() => expect(run('status').text).toMatch(/^billing +\d+ .* in development \(ok\)$/m));
    dev.kill('SIGINT');
    await ended;
    await eventually(() => expect(run('status').text).toMatch(/^billing +\d+ .* ok$/m));
  });

  it('recovers after all processes were killed', () => {
    for (const pid of [supervisor(), ...pids()]) process.kill(pid, 'SIGKILL');
    expect(run('status').code).toBe(1);
    expect(run('up', '--detach')).toMatchObject({ code: 0, text: expect.stringContaining('Millrace is up') });
    expect(run('status').code).toBe(0);
  });

  it('replaces all processes if only the supervisor was killed', () => {
    const before = pids();
    process.kill(supervisor(), 'SIGKILL');
    expect(run('up', '--detach')).toMatchObject({
      code: 0,
      text: expect.stringContaining('ended processes of a killed supervisor'),
    });
    expect(pids().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('starts processes that npm run down ends', () => {
    const before = pids();
    expect(run('down')).toMatchObject({ code: 0, text: expect.stringContaining('is down') });
    expect(readdirSync(layout.run)).toEqual([]);
    for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(run('down').text).toContain('not running');
  });

  it('names the port that another program uses', async () => {
    const other = createServer().listen(gateway, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { code, text } = run('up', '--detach');
    other.close();
    expect(text).toContain(`Port ${gateway} is in use`);
    expect(code).toBe(1);
  });

  it('runs all services in one process', () => {
    expect(run('up', '--detach', '--single').code).toBe(0);
    expect(new Set(pids()).size).toBe(4);
    expect(run('status').code).toBe(0);
    expect(run('down').code).toBe(0);
  });
});
