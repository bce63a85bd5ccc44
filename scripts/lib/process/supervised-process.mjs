import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { formatDuration } from '../report.mjs';
import { sendSignal } from './end-process.mjs';
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
 * @property {string} logFile both streams are appended here
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {NodeJS.Signals} [stopSignal] default SIGTERM
 * @property {number} [stopTimeoutMs] after which it is killed, default 15 s
 * @property {string[]} [pidNames] names of the pid files, default the name
 * @property {() => Promise<void> | void} [prepare] runs before each start
 * @property {() => number | undefined} [findReplacement] pid of a process that runs in place of this one (`npm run dev -- <service>`)
 */

/** How often a process that is replaced looks whether it is needed again. */
const REPLACED_INTERVAL_MS = 500;

/** Keeps one process running: a child that ends without being asked is started again, at once first, then with delays. */
export class SupervisedProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #wanted = false;
  /** @type {string | undefined} */
  identity;
  startedAt = 0;
  restarts = 0;
  /** Quick deaths in a row. */
  deaths = 0;
  /** Of the last process that ended; null if a signal ended it. @type {number | null | undefined} */
  exitCode;

  /**
   * @param {ProcessSpec} spec
   * @param {(process: SupervisedProcess, event: string) => void} onChange told "started", "stopped", or how it ended without being asked
   */
  constructor(spec, onChange) {
    this.spec = spec;
    this.onChange = onChange;
  }

  /** The pid, where it runs now. */
  get pid() {
    return this.#child?.pid;
  }

  /** Resolves once the process is started, not once it is ready. */
  async start() {
    this.#wanted = true;
    await this.#launch();
  }

  /** Asks it to end, kills it when it does not within its time; resolves once it has gone. */
  async stop() {
    this.#wanted = false;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child?.pid) return;
    const gone = new Promise((resolve) => child.once('gone', resolve));
    const { stopSignal = 'SIGTERM', stopTimeoutMs = 15_000 } = this.spec;
    const timer = setTimeout(() => this.kill(), stopTimeoutMs);
    sendSignal(child.pid, stopSignal);
    await gone;
    clearTimeout(timer);
  }

  /** Ends it and starts it again, which counts as no death. */
  async restart() {
    await this.stop();
    this.deaths = 0;
    await this.start();
  }

  /** Kills it with its process group, now. */
  kill() {
    this.#wanted = false;
    clearTimeout(this.#timer);
    if (this.pid) sendSignal(-this.pid, 'SIGKILL');
  }

  async #launch() {
    if (this.spec.findReplacement?.() !== undefined) {
      this.#timer = setTimeout(() => void this.#launch(), REPLACED_INTERVAL_MS);
      return;
    }
    try {
      await this.spec.prepare?.();
      if (this.#wanted) this.#spawn();
    } catch (error) {
      this.#ended(undefined, `could not be started: ${/** @type {Error} */ (error).message}`);
    }
  }

  #spawn() {
    const { command, args, env, cwd, uid, gid, logFile } = this.spec;
    rotateLog(logFile);
    const log = openSync(logFile, 'a', 0o600);
    // A session of its own keeps a terminal's Ctrl-C from reaching the servers before the apps that use them have ended.
    const own = { detached: true, stdio: ['ignore', log, log] };
    const ids = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
    const child = spawn(command, args, { env, cwd, ...ids, .../** @type {any} */ (own) });
    closeSync(log);
    this.#child = child;
    this.startedAt = Date.now();
    this.identity = child.pid ? processIdentity(child.pid) : undefined;
    child.once('error', (error) => this.#ended(child, `could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      this.exitCode = code;
      this.#ended(child, signal ? `ended by ${signal}` : `ended with code ${code}`);
    });
    if (child.pid) this.onChange(this, 'started');
  }

  /**
   * @param {import('node:child_process').ChildProcess | undefined} child
   * @param {string} how
   */
  #ended(child, how) {
    if (child !== this.#child) return;
    this.#child = undefined;
    // What a dead process leaves in its group would go on working for nobody.
    if (child?.pid) sendSignal(-child.pid, 'SIGKILL');
    const lived = Date.now() - this.startedAt;
    if (this.#wanted) this.#startAgain(how, lived);
    else this.onChange(this, 'stopped');
    child?.emit('gone');
  }

  /**
   * @param {string} how
   * @param {number} lived milliseconds
   */
  #startAgain(how, lived) {
    const replacement = this.spec.findReplacement?.();
    if (replacement !== undefined) {
      this.onChange(this, `is replaced by process ${replacement} (npm run dev)`);
      return void this.#launch();
    }
    this.deaths = lived >= STABLE_MS ? 1 : this.deaths + 1;
    const delay = restartDelay(this.deaths);
    const next = delay === 0 ? 'starting it again' : `starting it again in ${formatDuration(delay)}`;
    const event = `${how} after ${formatDuration(lived)}; ${next}`;
    noteInLog(this.spec.logFile, `${this.spec.name} ${event}`);
    this.restarts += 1;
    this.onChange(this, event);
    this.#timer = setTimeout(() => void this.#launch(), delay);
  }
}
