import { closeSync, openSync } from 'node:fs';
import { formatDuration } from '../report.mjs';
import { ProcessGroup } from './process-group.mjs';
import { processIdentity } from './process-identity.mjs';
import { restartDelay, STABLE_MS } from './restart-delay.mjs';
import { noteInLog, rotateLog } from './rotate-log.mjs';

/**
 * @typedef {object} ProcessSpec
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {string} logFile file that both output streams are appended to
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {NodeJS.Signals} [stopSignal] default SIGTERM
 * @property {number} [stopTimeoutMs] timeout after which it is killed, default 15 s
 * @property {string[]} [pidNames] names of the pid files, by default the process's name
 * @property {() => Promise<void> | void} [prepare] runs before each start
 * @property {() => number | undefined} [findReplacement] pid of the process that replaces this one (`npm run dev -- <service>`)
 */

/** How long a process may take to stop before it is killed, unless its specification says otherwise. */
export const STOP_TIMEOUT_MS = 15_000;

/** Interval of the checks whether the replacement of a process still runs. */
const REPLACED_INTERVAL_MS = 500;

/** Keeps one process running: restarts a process that ends unexpectedly, at once the first time, then with delays. */
export class SupervisedProcess {
  /** @type {ProcessGroup | undefined} */
  #group;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #shouldRun = false;
  /** @type {string | undefined} */
  identity;
  startedAt = 0;
  restarts = 0;
  /** Number of quick unexpected ends in a row. */
  deaths = 0;
  /** Exit code of the last process that ended; null if a signal ended it. @type {number | null | undefined} */
  exitCode;

  /**
   * @param {ProcessSpec} spec
   * @param {(process: SupervisedProcess, event: string) => void} onChange gets "started", "stopped", or how the process ended unexpectedly
   */
  constructor(spec, onChange) {
    this.spec = spec;
    this.onChange = onChange;
  }

  /** The process id; undefined while the process does not run. */
  get pid() {
    return this.#group?.pid;
  }

  /** Resolves when the process is started. It may not be ready yet. */
  async start() {
    this.#shouldRun = true;
    await this.#launch();
  }

  /** Stops the process, and kills it if it does not end in time. Resolves when it has ended. */
  async stop() {
    this.#shouldRun = false;
    clearTimeout(this.#timer);
    const { stopSignal = 'SIGTERM', stopTimeoutMs = STOP_TIMEOUT_MS } = this.spec;
    await this.#group?.stop(stopSignal, stopTimeoutMs);
  }

  /** Stops the process and starts it again. This does not count as a restart after a death. */
  async restart() {
    await this.stop();
    this.deaths = 0;
    await this.start();
  }

  /** Kills the process and its process group at once. */
  kill() {
    this.#shouldRun = false;
    clearTimeout(this.#timer);
    this.#group?.kill();
  }

  async #launch() {
    if (this.spec.findReplacement?.() !== undefined) {
      this.#timer = setTimeout(() => void this.#launch(), REPLACED_INTERVAL_MS);
      return;
    }
    try {
      await this.spec.prepare?.();
      if (this.#shouldRun) this.#spawn();
    } catch (error) {
      if (!this.#group) this.#handleEnd(`could not be started: ${/** @type {Error} */ (error).message}`);
    }
  }

  #spawn() {
    const { command, args, env, cwd, uid, gid, logFile } = this.spec;
    rotateLog(logFile);
    const log = openSync(logFile, 'a', 0o600);
    const ids = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
    // In a group of its own, so that a terminal's Ctrl-C does not reach the servers before the apps that use them have ended.
    const group = new ProcessGroup(
      command,
      args,
      { env, cwd, ...ids, stdio: ['ignore', log, log] },
      (event, exitCode) => {
        if (exitCode !== undefined) this.exitCode = exitCode;
        this.#group = undefined;
        this.#handleEnd(event);
      },
    );
    closeSync(log);
    this.#group = group;
    this.startedAt = Date.now();
    this.identity = group.pid ? processIdentity(group.pid) : undefined;
    if (group.pid) this.onChange(this, 'started');
  }

  /** @param {string} event how the process ended */
  #handleEnd(event) {
    if (this.#shouldRun) this.#scheduleRestart(event, Date.now() - this.startedAt);
    else this.onChange(this, 'stopped');
  }

  /**
   * @param {string} end how the process ended
   * @param {number} uptimeMs
   */
  #scheduleRestart(end, uptimeMs) {
    const replacement = this.spec.findReplacement?.();
    if (replacement !== undefined) {
      this.onChange(this, `is replaced by process ${replacement} (npm run dev)`);
      return void this.#launch();
    }
    this.deaths = uptimeMs >= STABLE_MS ? 1 : this.deaths + 1;
    const delay = restartDelay(this.deaths);
    const next = delay === 0 ? 'restarting it' : `restarting it in ${formatDuration(delay)}`;
    const event = `${end} after ${formatDuration(uptimeMs)}; ${next}`;
    noteInLog(this.spec.logFile, `${this.spec.name} ${event}`);
    this.restarts += 1;
    this.onChange(this, event);
    this.#timer = setTimeout(() => void this.#launch(), delay);
  }
}
