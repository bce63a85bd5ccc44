import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeJson } from '../write-json.mjs';
import { processIdentity } from './process-identity.mjs';
import { isDiskFull, rotateLog } from './rotate-log.mjs';
import { STOP_TIMEOUT_MS, SupervisedProcess } from './supervised-process.mjs';

const ROTATE_INTERVAL_MS = 30_000;
/** Delay before a failed write of the state is retried. */
const RETRY_DELAY_MS = 1_000;

/**
 * The content of state.json: the running processes, for `status`, `down` and the next `up`.
 * @typedef {object} State
 * @property {import('./process-identity.mjs').ProcessRef} supervisor
 * @property {'starting' | 'ready' | 'stopping'} phase
 * @property {string} mode
 * @property {string} [address] public URL of the gateway
 * @property {string} [health] base URL for health checks
 * @property {string} [dashboard] URL of the dashboard's development server
 * @property {string} [mail] folder that mails are written into, if no mail server is set
 * @property {Record<string, ProcessState>} processes
 *
 * @typedef {{ pid?: number, identity?: string | undefined, startedAt: number, restarts: number, deaths: number, stopSignal: NodeJS.Signals, stopTimeoutMs: number, pidNames: string[] }} ProcessState
 */

/** Runs a set of processes, and keeps state.json and the pid files up to date. */
export class Supervisor {
  /** @type {Map<string, SupervisedProcess>} */
  #processes = new Map();
  /** @type {Pick<State, 'phase' | 'mode' | 'address' | 'health' | 'dashboard' | 'mail'>} */
  #info;
  #rotation;
  #closed = false;
  /** @type {NodeJS.Timeout | undefined} */
  #retry;

  /**
   * @param {import('../layout.mjs').Layout} layout
   * @param {string} mode shown by status
   * @param {import('../report.mjs').Report} [onEvent] gets a line for each process that ended unexpectedly
   */
  constructor(layout, mode, onEvent = () => undefined) {
    this.layout = layout;
    this.onEvent = onEvent;
    this.#info = { phase: 'starting', mode };
    this.#rotation = setInterval(() => this.#rotateLogs(), ROTATE_INTERVAL_MS);
    this.#rotation.unref();
    this.#save();
  }

  /** @param {import('./supervised-process.mjs').ProcessSpec} spec */
  async start(spec) {
    const child = new SupervisedProcess(spec, (process, event) => this.#handleChange(process, event));
    this.#processes.set(spec.name, child);
    await child.start();
  }

  /** @param {string} name */
  get(name) {
    return this.#processes.get(name);
  }

  names() {
    return [...this.#processes.keys()];
  }

  /** @param {string[]} names names of processes that do not run are ignored */
  async stop(names) {
    await Promise.all(names.map(async (name) => this.#processes.get(name)?.stop()));
  }

  /** Kills all processes at once. */
  killAll() {
    for (const child of this.#processes.values()) child.kill();
  }

  /** @param {Partial<State>} info */
  describe(info) {
    this.#info = { ...this.#info, ...info };
    this.#save();
  }

  /** Removes state.json and the pid files. Call it after all processes are stopped. */
  close() {
    clearInterval(this.#rotation);
    clearTimeout(this.#retry);
    this.#closed = true;
    for (const { spec } of this.#processes.values())
      this.#pidFiles(spec).forEach((file) => rmSync(file, { force: true }));
    rmSync(this.layout.state, { force: true });
  }

  /**
   * @param {SupervisedProcess} child
   * @param {string} event
   */
  #handleChange(child, event) {
    // Killed processes may end after the supervisor is closed.
    if (this.#closed) return;
    this.#save();
    if (event !== 'started' && event !== 'stopped') this.onEvent(`${child.spec.name} ${event}`);
  }

  /** @param {import('./supervised-process.mjs').ProcessSpec} spec */
  #pidFiles(spec) {
    return pidNames(spec).map((name) => this.layout.pid(name));
  }

  #rotateLogs() {
    for (const { spec } of this.#processes.values()) rotateLog(spec.logFile);
  }

  /** A full disk must not end the supervisor, because its processes would continue without it. A failed write is retried. */
  #save() {
    clearTimeout(this.#retry);
    try {
      this.#write();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#retry = setTimeout(() => this.#save(), RETRY_DELAY_MS);
      this.#retry.unref();
    }
  }

  #write() {
    if (this.#closed) return;
    const processes = Object.fromEntries([...this.#processes].map(([name, child]) => [name, processState(child)]));
    const supervisor = { pid: process.pid, identity: processIdentity(process.pid) };
    // The state comes first, because a pid file alone does not prove that the process belongs to this system.
    writeJson(this.layout.state, { supervisor, ...this.#info, processes });
    for (const { spec, pid } of this.#processes.values()) {
      if (pid !== undefined) this.#pidFiles(spec).forEach((file) => writePid(file, pid));
    }
  }
}

/**
 * @param {string} file
 * @param {number} pid
 */
function writePid(file, pid) {
  const text = `${pid}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** @param {import('./supervised-process.mjs').ProcessSpec} spec */
function pidNames(spec) {
  return spec.pidNames ?? [spec.name];
}

/**
 * @param {SupervisedProcess} child
 * @returns {ProcessState}
 */
function processState({ pid, identity, startedAt, restarts, deaths, spec }) {
  const running = pid === undefined ? {} : { pid, identity };
  return {
    ...running,
    startedAt,
    restarts,
    deaths,
    stopSignal: spec.stopSignal ?? 'SIGTERM',
    stopTimeoutMs: spec.stopTimeoutMs ?? STOP_TIMEOUT_MS,
    pidNames: pidNames(spec),
  };
}
