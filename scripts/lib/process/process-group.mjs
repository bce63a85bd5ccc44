import { spawn } from 'node:child_process';
import { sendSignal } from './end-process.mjs';

/**
 * A running command that leads a process group of its own: a terminal's Ctrl-C does not reach it, and its end takes the rest
 * of its group along.
 */
export class ProcessGroup {
  #child;
  #hasEnded = false;
  /** @type {Promise<void>} */
  #ended;

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {import('node:child_process').SpawnOptions} options
   * @param {(event: string, exitCode?: number | null) => void} onEnd gets "ended by SIGTERM", "ended with code 1" or "could
   *   not be started: …"; `exitCode` is null after a signal, and undefined if the command was not started
   */
  constructor(command, args, options, onEnd) {
    const child = spawn(command, args, { ...options, detached: true });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      const end = (/** @type {string} */ event, /** @type {number | null | undefined} */ exitCode) => {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        // Otherwise the children of a dead process would continue to run.
        if (child.pid) sendSignal(-child.pid, 'SIGKILL');
        onEnd(event, exitCode);
        resolve();
      };
      child.once('error', (error) => end(`could not be started: ${error.message}`, undefined));
      child.once('exit', (code, signal) => end(signal ? `ended by ${signal}` : `ended with code ${code}`, code));
    });
  }

  /** The process id; undefined if the command could not be started. */
  get pid() {
    return this.#child.pid;
  }

  /** Standard output and standard error, as far as they are pipes. */
  get outputs() {
    return [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
  }

  /**
   * Sends the signal, and kills the group if the process has not ended after the timeout. Resolves after `onEnd`.
   * @param {NodeJS.Signals} signal
   * @param {number} timeoutMs
   */
  async stop(signal, timeoutMs) {
    if (!this.pid || this.#hasEnded) return;
    const timer = setTimeout(() => this.kill(), timeoutMs);
    sendSignal(this.pid, signal);
    await this.#ended;
    clearTimeout(timer);
  }

  kill() {
    if (this.pid && !this.#hasEnded) sendSignal(-this.pid, 'SIGKILL');
  }
}
