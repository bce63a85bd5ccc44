import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FrameReader, encodeFrame } from './frames.js';

/** The Perl program beside this package's sources; the same relative place from `src` and from `dist`. */
export const RUNNER_PATH = fileURLToPath(new URL('../../runner.pl', import.meta.url));

/** PATH of runners: it is searched for perl and bubblewrap. */
export const RUNNER_SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

const MAX_ERROR_OUTPUT_CHARACTERS = 2_000;

/** The runner has exited or was killed, and takes no more requests. */
export class RunnerExitedError extends Error {
  override name = 'RunnerExitedError';
}

/** `supervisor` starts sandboxes and runs nothing itself; `unsandboxed` runs commands without a sandbox. */
export type RunnerRole = 'supervisor' | 'unsandboxed';

interface PendingResponse {
  resolve(response: string[]): void;
  reject(error: Error): void;
}

/**
 * A long-lived runner.pl, which handles one request at a time (docs/architecture/runner.md). Start it while this process is
 * young: a Node.js process that has grown forks slowly (1.2 ms at 50 MB, 45 ms at 1 GB), a Perl process never grows.
 */
export class RunnerProcess {
  /** The end of the standard error of the runner and bubblewrap. */
  errorOutput = '';
  /** Whether a frame has come without a request: the sandbox has ended, and responses no longer match requests. */
  isOutOfStep = false;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly reader = new FrameReader();
  private pending: PendingResponse | null = null;
  private exitError: RunnerExitedError | null = null;
  private readonly exited: Promise<void>;

  /** @param uid user on this machine that commands of `unsandboxed` run as; null for the user of this process */
  constructor(role: RunnerRole, rlimits: readonly string[] = [], uid: number | null = null) {
    const user = uid === null ? [] : [`user:${uid}`];
    this.child = spawn('perl', [RUNNER_PATH, role, process.arch, ...user, ...rlimits], {
      env: { PATH: RUNNER_SEARCH_PATH, LC_ALL: 'C' },
      // A process group of its own: Ctrl-C in a terminal must reach only the worker, which then ends its steps in order.
      detached: true,
    });
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.errorOutput = (this.errorOutput + chunk.toString()).slice(-MAX_ERROR_OUTPUT_CHARACTERS);
    });
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('error', (error) => this.handleExit(`could not be started (${error.message})`, resolve));
      this.child.once('close', (code, signal) =>
        this.handleExit(`exited with ${signal ?? code ?? 'no status'}`, resolve),
      );
    });
  }

  /** @throws RunnerExitedError if perl could not be started */
  get pid(): number {
    if (this.child.pid === undefined) throw new RunnerExitedError('The runner could not be started: perl is missing.');
    return this.child.pid;
  }

  get isAlive(): boolean {
    return this.exitError === null;
  }

  /** The next response, for instance the `ready` of a runner that has just started. @throws RunnerExitedError */
  nextResponse(): Promise<string[]> {
    if (this.exitError) return Promise.reject(this.exitError);
    if (this.pending) return Promise.reject(new Error('The runner handles one request at a time, and has one.'));
    return new Promise((resolve, reject) => (this.pending = { resolve, reject }));
  }

  /** Sends a request and resolves with the fields of its response. @throws RunnerExitedError */
  request(...fields: string[]): Promise<string[]> {
    const response = this.nextResponse();
    this.send(...fields);
    return response;
  }

  /** Sends a frame that has no response. */
  send(...fields: string[]): void {
    if (this.isAlive) this.child.stdin.write(encodeFrame(fields));
  }

  /** Closes the runner's input, upon which it ends all that it runs. Kills it after `graceMs`. */
  async close(graceMs = 2000): Promise<void> {
    this.child.stdin.end();
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.exited.finally(() => clearTimeout(timer));
  }

  /** Kills the runner. `isAlive` is false from now on. */
  kill(): void {
    this.exitError ??= new RunnerExitedError('The runner was killed.');
    this.child.kill('SIGKILL');
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.reader.push(chunk)) this.deliver(frame);
    } catch (error) {
      this.errorOutput += String(error);
      this.kill();
    }
  }

  private deliver(frame: string[]): void {
    const pending = this.pending;
    this.pending = null;
    if (pending) pending.resolve(frame);
    else this.isOutOfStep = true;
  }

  private handleExit(reason: string, resolve: () => void): void {
    const output = this.errorOutput.trim();
    this.exitError ??= new RunnerExitedError(`The runner ${reason}${output === '' ? '.' : `: ${output}`}`);
    this.pending?.reject(this.exitError);
    this.pending = null;
    resolve();
  }
}
