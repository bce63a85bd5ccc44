import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopTimeoutOf } from '../apps/stop-timeout.mjs';
import { buildServices, buildWorkspaces } from '../build/build-workspaces.mjs';
import { findDependents } from '../build/find-dependents.mjs';
import { listWorkspaces } from '../build/list-workspaces.mjs';
import { ROOT } from '../layout.mjs';
import { acquireLock } from '../process/acquire-lock.mjs';
import { endProcess } from '../process/end-process.mjs';
import { environmentOf } from '../process/environment-of.mjs';
import { ProcessGroup } from '../process/process-group.mjs';
import { formatDuration, phase, UserError } from '../report.mjs';
import { findRunning, settleRunning } from '../system/find-running.mjs';
import { onEndSignal } from '../system/run-system.mjs';
import { changedOutputs, hashOutputs } from './hash-outputs.mjs';
import { watchSources } from './watch-sources.mjs';

const CHECK_SYSTEM_INTERVAL_MS = 1_000;

/**
 * Runs one service in this terminal, in place of the running system's own copy, and restarts it after each edit that affects
 * it. The system restarts its own copy when this process ends, even if it is killed.
 * @param {{ service: string, layout: import('../layout.mjs').Layout, inspect: boolean, report: import('../report.mjs').Report }} options inspect: open Node's debugger on port 9229
 */
export async function runService({ service, layout, inspect, report }) {
  const { process: replaced, supervisor } = await findService(service, layout);
  const env = { ...environmentOf(replaced.pid), ...(process.env.LOG_LEVEL && { LOG_LEVEL: process.env.LOG_LEVEL }) };
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const lock = acquireLock(layout.devLock(service));
  if (!lock.acquired) throw new UserError(`Process ${lock.pid} already runs ${service} in development. Stop it first.`);
  const ending = new AbortController();
  const child = new ServiceProcess({ service, env, inspect, logFile: layout.log(service), report });
  try {
    onEndSignal(() => ending.abort(), child.kill);
    void abortWithSystem(layout, supervisor, ending, report);
    await endProcess(replaced, 'SIGTERM', stopTimeoutOf(service, env));
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
    throw new UserError(`The ${service} service needs a running system. Start one first: npm run up -- --detach`);
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
 * Aborts when the system ends.
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
      await buildServices(ROOT);
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

/** One service as a child of this process. It logs to this terminal and to the service's log file. */
class ServiceProcess {
  /** @type {ProcessGroup | undefined} */
  #group;
  #options;
  #log;

  /** @param {{ service: string, env: NodeJS.ProcessEnv, inspect: boolean, logFile: string, report: import('../report.mjs').Report }} options */
  constructor(options) {
    this.#options = options;
    this.#log = createWriteStream(options.logFile, { flags: 'a' }).on('error', (error) =>
      options.report(error.message),
    );
  }

  start() {
    const { service, env, inspect, report } = this.#options;
    const main = join(ROOT, 'apps', service, 'dist', 'main.js');
    const args = ['--enable-source-maps', ...(inspect ? ['--inspect'] : []), main];
    // In a group of its own, so that Ctrl-C reaches this process alone, which stops the service in order.
    const group = new ProcessGroup(
      process.execPath,
      args,
      { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
      (event) => {
        if (this.#group !== group) return;
        this.#group = undefined;
        report(`  ${service} ${event}; it restarts after the next edit`);
      },
    );
    for (const output of group.outputs) {
      output.pipe(process.stdout, { end: false });
      output.pipe(this.#log, { end: false });
    }
    this.#group = group;
  }

  /** Stops the service, and kills it if it does not end in time. */
  async stop() {
    const group = this.#group;
    this.#group = undefined;
    await group?.stop('SIGTERM', stopTimeoutOf(this.#options.service, this.#options.env));
  }

  kill = () => this.#group?.kill();
}
