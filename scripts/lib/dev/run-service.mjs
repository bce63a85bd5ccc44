import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWorkspaces } from '../build/build-workspaces.mjs';
import { findDependents } from '../build/find-dependents.mjs';
import { listWorkspaces } from '../build/list-workspaces.mjs';
import { ROOT } from '../layout.mjs';
import { endProcess, sendSignal } from '../process/end-process.mjs';
import { environmentOf } from '../process/environment-of.mjs';
import { takeLock } from '../process/take-lock.mjs';
import { formatDuration, phase, UserError } from '../report.mjs';
import { findRunning, settleRunning } from '../system/find-running.mjs';
import { onEndSignal } from '../system/run-system.mjs';
import { changedOutputs, hashOutputs } from './hash-outputs.mjs';
import { watchSources } from './watch-sources.mjs';

const STOP_TIMEOUT_MS = 15_000;
const CHECK_SYSTEM_INTERVAL_MS = 1_000;

/**
 * Runs one service in this terminal, in place of the copy that a running system has of it, and restarts it after each edit
 * that concerns it. The system starts its own copy again when this ends, however it ends.
 * @param {{ service: string, layout: import('../layout.mjs').Layout, inspect: boolean, report: import('../report.mjs').Report }} options inspect: open Node's debugger on port 9229
 */
export async function runService({ service, layout, inspect, report }) {
  const { process: replaced, supervisor } = await findService(service, layout);
  const env = { ...environmentOf(replaced.pid), ...(process.env.LOG_LEVEL && { LOG_LEVEL: process.env.LOG_LEVEL }) };
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const lock = takeLock(layout.devLock(service));
  if (!lock.taken) throw new UserError(`Process ${lock.pid} already runs ${service} in development. Stop it first.`);
  const ending = new AbortController();
  const child = new ServiceProcess({ service, env, inspect, report });
  try {
    onEndSignal(() => ending.abort(), child.kill);
    void abortWithSystem(layout, supervisor, ending, report);
    await endProcess(replaced, 'SIGTERM', STOP_TIMEOUT_MS);
    child.start();
    report(
      `\nThe ${service} service runs in this terminal and restarts after each edit. Press Ctrl-C to return it to the system.\n`,
    );
    await watchSources(ROOT, ending.signal, rebuild(service, child, report));
  } finally {
    ending.abort();
    await child.stop();
    lock.release();
  }
}

/**
 * @param {string} service
 * @param {import('../layout.mjs').Layout} layout
 */
async function findService(service, layout) {
  const running = await settleRunning(layout);
  if (running?.state?.phase !== 'ready') {
    throw new UserError(
      `The ${service} service needs a running system beside it. Start one first: npm run up -- --detach`,
    );
  }
  const found = running.state.processes[service];
  if (!found?.pid || !found.identity) {
    throw new UserError(
      `The running system has no separate process for ${service}. Start the system without --single; npm run status shows its processes.`,
    );
  }
  return { process: { pid: found.pid, identity: found.identity }, supervisor: running.pid };
}

/**
 * Ends the development of a service when the system around it ends.
 * @param {import('../layout.mjs').Layout} layout
 * @param {number} supervisor
 * @param {AbortController} ending
 * @param {import('../report.mjs').Report} report
 */
async function abortWithSystem(layout, supervisor, ending, report) {
  while (!ending.signal.aborted) {
    if (findRunning(layout)?.pid !== supervisor) {
      report('The system has stopped.');
      ending.abort();
    }
    await sleep(CHECK_SYSTEM_INTERVAL_MS, undefined, { signal: ending.signal }).catch(() => undefined);
  }
}

/**
 * @param {string} service
 * @param {ServiceProcess} child
 * @param {import('../report.mjs').Report} report
 * @returns {() => Promise<void>}
 */
function rebuild(service, child, report) {
  let outputs = hashOutputs(ROOT);
  return async () => {
    const start = performance.now();
    try {
      await buildWorkspaces(ROOT);
      const built = hashOutputs(ROOT);
      const affected = findDependents(listWorkspaces(ROOT), changedOutputs(outputs, built));
      outputs = built;
      if (!affected.has(`@millrace/${service}`)) return;
      await child.stop();
      child.start();
      report(`  restarted ${service} (${formatDuration(performance.now() - start)})`);
    } catch (error) {
      report(/** @type {Error} */ (error).message);
    }
  };
}

/** One service as a child of this process, its log in this terminal. */
class ServiceProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #options;

  /** @param {{ service: string, env: NodeJS.ProcessEnv, inspect: boolean, report: import('../report.mjs').Report }} options */
  constructor(options) {
    this.#options = options;
  }

  start() {
    const { service, env, inspect, report } = this.#options;
    const args = ['--enable-source-maps', ...(inspect ? ['--inspect'] : [])];
    const child = spawn(process.execPath, [...args, join(ROOT, 'apps', service, 'dist', 'main.js')], {
      cwd: ROOT,
      env,
      // A group of its own, so that Ctrl-C reaches this process alone, which ends the service in order.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#child = child;
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      report(`  ${service} ended (${signal ?? `code ${code}`}); it starts again after the next edit`);
    });
  }

  /** Ends the service in order, and kills it if it does not end in time. */
  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  }

  kill = () => {
    if (this.#child?.pid) sendSignal(-this.#child.pid, 'SIGKILL');
  };
}
