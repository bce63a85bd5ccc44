import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { encodeFrame, FrameReader } from './frames.js';
import { RUNNER_PATH } from './runner-path.js';

/** Where keepers find bubblewrap, and Perl is found. */
export const RUNNER_SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

export class RunnerExitedError extends Error {
  override name = 'KeeperGoneError';
}

interface PendingResponse {
  resolve(answer: string[]): void;
  reject(error: Error): void;
}

/**
 * A long-lived runner.pl, started while this process is young: a Node that has grown forks slowly (1.2 ms at 50 MB, 45 ms
 * at 1 GB), a Perl never grows. It answers one request at a time.
 */
export class RunnerProcess {
  /** What the keeper and bubblewrap last complained about. */
  errorOutput = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly reader = new FrameReader();
  private pending: PendingResponse | null = null;
  /** Whether it said something unasked: its sandbox has ended by itself. */
  isOutOfStep = false;
  private exitError: RunnerExitedError | null = null;
  private readonly exited: Promise<void>;

  /**
   * `keeper` starts sandboxes and runs nothing outside of one, `plain` runs commands without a sandbox.
   * @param user whom `plain` runs commands as on this machine; null for the user of this process
   */
  constructor(role: 'keeper' | 'plain', rlimits: readonly string[] = [], user: number | null = null) {
    const asUser = user === null ? [] : [`user:${user}`];
    this.child = spawn('perl', [RUNNER_PATH, role, process.arch, ...asUser, ...rlimits], {
      env: { PATH: RUNNER_SEARCH_PATH, LC_ALL: 'C' },
      // A group of its own: Ctrl-C in a terminal must reach the worker alone, which then ends its steps in order.
      detached: true,
    });
    this.child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.stderr.on(
      'data',
      (chunk: Buffer) => (this.errorOutput = (this.errorOutput + chunk.toString()).slice(-2000)),
    );
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('error', (error) => this.handleExit(error.message, resolve));
      this.child.once('close', (code, signal) => this.handleExit(`ended with ${signal ?? code ?? 'nothing'}`, resolve));
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new RunnerExitedError('perl could not be started');
    return this.child.pid;
  }

  get isAlive(): boolean {
    return this.exitError === null;
  }

  /** The next answer, for instance the `ready` of a runner that has just started. */
  nextResponse(): Promise<string[]> {
    if (this.exitError) return Promise.reject(this.exitError);
    if (this.pending) return Promise.reject(new Error('the runner is busy: one request at a time'));
    return new Promise((resolve, reject) => (this.pending = { resolve, reject }));
  }

  request(...fields: string[]): Promise<string[]> {
    const answer = this.nextResponse();
    if (!this.exitError) this.child.stdin.write(encodeFrame(fields));
    return answer;
  }

  /** A frame that has no answer of its own. */
  send(...fields: string[]): void {
    if (!this.exitError) this.child.stdin.write(encodeFrame(fields));
  }

  /** Ends the keeper by closing its input, upon which it ends all it runs; by force after `graceMs`. */
  async close(graceMs = 2000): Promise<void> {
    this.child.stdin.end();
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.exited.finally(() => clearTimeout(timer));
  }

  /** From now on it counts as gone. */
  kill(): void {
    this.exitError ??= new RunnerExitedError('the runner was killed');
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
    const waiting = this.pending;
    this.pending = null;
    if (waiting) waiting.resolve(frame);
    else this.isOutOfStep = true;
  }

  private handleExit(reason: string, resolve: () => void): void {
    this.exitError ??= new RunnerExitedError(
      `the runner ${reason}${this.errorOutput === '' ? '' : `: ${this.errorOutput.trim()}`}`,
    );
    this.pending?.reject(this.exitError);
    this.pending = null;
    resolve();
  }
}
