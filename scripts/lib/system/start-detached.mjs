import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { rotateLog } from '../process/rotate-log.mjs';
import { UserError } from '../report.mjs';
import { onEndSignal } from './run-system.mjs';

/**
 * A message from the supervisor to the command that started it.
 * @typedef {{ line?: string, ready?: string, failed?: string }} Message ready: the gateway's base URL
 */

/**
 * Starts a supervisor in the background and waits until its system is ready.
 * @param {{ layout: import('../layout.mjs').Layout, single: boolean, report: import('../report.mjs').Report }} options
 * @returns {Promise<string>} the gateway's base URL
 */
export async function startDetached({ layout, single, report }) {
  const file = layout.log('up');
  rotateLog(file);
  const log = openSync(file, 'a', 0o600);
  const script = join(ROOT, 'scripts', 'supervise.mjs');
  const child = spawn(process.execPath, [script, ...(single ? ['--single'] : [])], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  onEndSignal(
    () => child.kill('SIGTERM'),
    () => child.kill('SIGTERM'),
  );
  const base = await waitUntilReady(child, file, report);
  child.disconnect();
  child.unref();
  return base;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} file its log
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<string>}
 */
function waitUntilReady(child, file, report) {
  /** @type {string | undefined} */
  let failure;
  return new Promise((resolve, reject) => {
    child.on('message', (/** @type {Message} */ { line, ready, failed }) => {
      if (line !== undefined) report(line);
      failure = failed ?? failure;
      if (ready) resolve(ready);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      reject(new UserError(failure ?? `The supervisor ended (${signal ?? `code ${code}`}). Its log is ${file}.`)),
    );
  });
}
