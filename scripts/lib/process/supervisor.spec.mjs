import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dataLayout } from '../layout.mjs';
import { waitUntil } from '../system/wait-until.mjs';
import { readJson, writeJson } from '../write-json.mjs';
import { endOrphans, findOrphans } from './end-orphans.mjs';
import { isRunning, processIdentity } from './process-identity.mjs';
import { Supervisor } from './supervisor.mjs';

/** @type {import('../layout.mjs').Layout} */
let layout;
/** @type {Supervisor} */
let supervisor;
/** @type {string[]} */
let events;

beforeEach(() => {
  layout = dataLayout(mkdtempSync(join(tmpdir(), 'supervisor-')));
  mkdirSync(layout.logs);
  mkdirSync(layout.run);
  events = [];
  supervisor = new Supervisor(layout, 'test', (event) => void events.push(event));
});
afterEach(() => {
  supervisor.killAll();
  supervisor.close();
  rmSync(layout.dir, { recursive: true, force: true });
});

/** @param {string} script @param {object} [more] */
function shell(script, more = {}) {
  const spec = { command: 'sh', args: ['-c', script], env: process.env, cwd: layout.dir };
  return { name: 'probe', logFile: layout.log('probe'), ...spec, ...more };
}

const pidInFile = () => Number(readFileSync(layout.pid('probe'), 'utf8'));
const log = () => readFileSync(layout.log('probe'), 'utf8');
const becomesTrue = (/** @type {() => boolean} */ check) => waitUntil(check, { timeoutMs: 10_000 });

describe('Supervisor', () => {
  it('restarts a killed process at once and notes it in its log', async () => {
    await supervisor.start(shell('echo here; exec sleep 60'));
    const first = pidInFile();
    const greetings = () => log().match(/here/g)?.length;
    expect(await becomesTrue(() => greetings() === 1)).toBe(true);
    process.kill(first, 'SIGKILL');
    expect(await becomesTrue(() => pidInFile() !== first && greetings() === 2)).toBe(true);
    expect(isRunning({ pid: pidInFile(), identity: processIdentity(pidInFile()) })).toBe(true);
    expect(log()).toContain('probe ended by SIGKILL');
    expect(events[0]).toContain('restarting it');
    expect(readJson(layout.state).processes.probe).toMatchObject({ pid: pidInFile(), restarts: 1 });
  });

  it('does not start a process that another one replaces, until the replacement has ended', async () => {
    /** @type {number | undefined} */
    let replacement = 4711;
    await supervisor.start(shell('exec sleep 60', { findReplacement: () => undefined }));
    const child = supervisor.get('probe');
    if (!child) throw new Error('The process is not supervised.');
    child.spec.findReplacement = () => replacement;
    process.kill(pidInFile(), 'SIGTERM');
    expect(await becomesTrue(() => events.length === 1)).toBe(true);
    expect(events).toEqual(['probe is replaced by process 4711 (npm run dev)']);
    expect(child).toMatchObject({ pid: undefined, restarts: 0 });
    replacement = undefined;
    expect(await becomesTrue(() => child.pid !== undefined)).toBe(true);
  });

  it('waits longer before each restart of a process that dies at once', async () => {
    await supervisor.start(shell('exit 3'));
    expect(await becomesTrue(() => events.length >= 3)).toBe(true);
    expect(events.map((event) => /restarting it(.*)$/.exec(event)?.[1])).toEqual(['', ' in 0.2 s', ' in 0.4 s']);
    expect(supervisor.get('probe')?.deaths).toBe(3);
  });

  it('retries if the program cannot be started', async () => {
    await supervisor.start(shell('', { command: '/no/such/program' }));
    expect(await becomesTrue(() => events.length >= 2)).toBe(true);
    expect(events[0]).toContain('could not be started');
  });

  it('does not restart a process that it stopped', async () => {
    await supervisor.start(shell('exec sleep 60'));
    const pid = pidInFile();
    await supervisor.stop(['probe']);
    expect(processIdentity(pid)).toBeUndefined();
    expect(events.filter((event) => event.includes('restarting'))).toEqual([]);
  });

  it('kills a process that ignores the signal, with its children', async () => {
    const script = `trap '' TERM; sleep 61 & echo $! > ${layout.dir}/child; wait; sleep 62`;
    await supervisor.start(shell(script, { stopTimeoutMs: 200 }));
    await becomesTrue(
      () => existsSync(join(layout.dir, 'child')) && readFileSync(join(layout.dir, 'child'), 'utf8') !== '',
    );
    const child = Number(readFileSync(join(layout.dir, 'child'), 'utf8'));
    await supervisor.stop(['probe']);
    expect(await becomesTrue(() => processIdentity(child) === undefined)).toBe(true);
  });

  it('runs the preparation before each start', async () => {
    let prepared = 0;
    await supervisor.start(shell('exit 0', { prepare: () => void (prepared += 1) }));
    expect(await becomesTrue(() => prepared >= 2)).toBe(true);
  });

  it('writes one pid file for each name of a process', async () => {
    await supervisor.start(shell('exec sleep 60', { pidNames: ['auth', 'runs'] }));
    expect(readFileSync(layout.pid('auth'), 'utf8')).toBe(readFileSync(layout.pid('runs'), 'utf8'));
    await supervisor.stop(['probe']);
    supervisor.close();
    expect(existsSync(layout.pid('auth'))).toBe(false);
    expect(existsSync(layout.state)).toBe(false);
  });
});

describe('endOrphans', () => {
  /** Starts a process without a supervisor, and records it as a killed supervisor would have. */
  function startOrphan() {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = Number(child.pid);
    const entry = {
      pid,
      identity: processIdentity(pid),
      startedAt: 0,
      restarts: 0,
      deaths: 0,
      stopSignal: 'SIGTERM',
      pidNames: ['probe'],
    };
    writeJson(layout.state, { processes: { probe: entry } });
    writeFileSync(layout.pid('probe'), `${pid}\n`);
    return { child, pid, entry };
  }

  it('ends the processes of a killed supervisor and removes its files', async () => {
    const { pid } = startOrphan();
    expect(await endOrphans(layout, [])).toEqual(['probe']);
    expect(processIdentity(pid)).toBeUndefined();
    expect(existsSync(layout.pid('probe'))).toBe(false);
    expect(existsSync(layout.state)).toBe(false);
  });

  it('does not end another process that has a recorded pid', async () => {
    const { child, pid, entry } = startOrphan();
    writeJson(layout.state, { processes: { probe: { ...entry, identity: 'another boot/1' } } });
    expect(findOrphans(layout)).toEqual([]);
    expect(await endOrphans(layout, [])).toEqual([]);
    expect(processIdentity(pid)).toBe(entry.identity);
    child.kill('SIGKILL');
  });
});
