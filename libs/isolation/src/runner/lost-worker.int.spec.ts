import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../limits/limits.js';
import { buildBwrapArguments } from '../sandbox/build-bwrap-arguments.js';
import { makeEtcFolder } from '../sandbox/etc-folder.js';
import { findProcesses, waitUntilEnded } from '../testing/find-processes.js';
import { encodeFrame } from './frames.js';
import { RUNNER_PATH } from './runner-process.js';

/** A process that only starts a runner, sends it frames, and lives until it is killed. */
const WORKER = `
const [runner, role, frames] = process.argv.slice(1);
const runnerProcess = require('node:child_process').spawn('perl', [runner, role, process.arch], { detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
for (const frame of JSON.parse(frames)) runnerProcess.stdin.write(Buffer.from(frame, 'base64'));
`;

it.each(['supervisor', 'unsandboxed'])(
  'a worker that is killed leaves no process of its runner in the role %s behind',
  async (role) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-lost-'));
    const seconds = `700.${Math.floor(Math.random() * 1e6)}`;
    const folders = {
      work: join(folder, 'work'),
      input: join(folder, 'in'),
      step: join(folder, 'step'),
      etc: join(folder, 'etc'),
      devices: null,
    };
    for (const path of [join(folders.work, 'in'), folders.input, folders.step]) mkdirSync(path, { recursive: true });
    makeEtcFolder(folders.etc);
    const script = `setsid -f sleep ${seconds}; (sleep ${seconds} &); trap '' TERM HUP; sleep ${seconds}`;
    const run = ['run', '1', '/tmp', '/dev/null', '/dev/null', '3', 'bash', '-c', script, 'PATH=/usr/bin:/bin'];
    const options = { network: false, hasOwnUser: false };
    const frames =
      role === 'supervisor' ? [['sandbox', '', ...buildBwrapArguments(folders, DEFAULT_LIMITS, options)], run] : [run];
    const encoded = JSON.stringify(frames.map((frame) => encodeFrame(frame).toString('base64')));
    const worker = spawn(process.execPath, ['-e', WORKER, RUNNER_PATH, role, encoded], { stdio: 'ignore' });
    try {
      while (findProcesses(`sleep\0${seconds}`).length < 3) await sleep(20);
      worker.kill('SIGKILL');
      await once(worker, 'close');
      expect(await waitUntilEnded(3000, seconds)).toEqual([]);
    } finally {
      worker.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
