import { RunnerExitedError } from '../runner/runner-process.js';
import { endedByFileSize, signalName } from './signals.js';
import type { SlotRunner } from './slot-runner.js';
import { COMMAND_TRANSITIONS, StateMachine } from './slot-states.js';
import type { UsageMeter } from './usage-meter.js';

/** A command line and its whole environment. */
export interface Command {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Why a slot or the kernel killed a command: the limit that it exceeded, or `lost` if its runner ended. */
export type KillReason = 'disk' | 'files' | 'fileSize' | 'memory' | 'lost';

/** Exit status and usage of a command. */
export interface CommandExit {
  code: number | null;
  signal: string | null;
  /** CPU time of the command and all that it started, as the kernel counts it. */
  cpuMs: number;
  maxRssBytes: number;
  killReason: KillReason | null;
}

/** How long a killed command may take to end before its runner is killed as well. */
const KILL_TIMEOUT_MS = 3_000;

/** Folders of a command, as it sees them. */
export interface CommandFolders {
  cwd: string;
  /** Gets the files `stdout` and `stderr`. */
  step: string;
}

/** One command in a slot, from its start until all of its processes have ended. */
export class RunningCommand {
  private readonly states = new StateMachine(COMMAND_TRANSITIONS, 'running');

  /** @param id identifies the response to this command */
  constructor(
    private readonly id: string,
    private readonly runner: SlotRunner,
    private readonly meter: UsageMeter,
  ) {}

  /** Runs the command to its end. @param exceeded the limit that a watch has found exceeded by then */
  async run(
    { argv, env }: Command,
    { cwd, step }: CommandFolders,
    exceeded: () => KillReason | null,
  ): Promise<CommandExit> {
    this.meter.begin();
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const files = [`${step}/stdout`, `${step}/stderr`];
    try {
      const request = ['run', this.id, cwd, ...files, String(argv.length), ...argv, ...variables];
      return this.readExit(await this.runner.request(...request), exceeded());
    } catch (error) {
      if (!(error instanceof RunnerExitedError)) throw error;
      return this.handleLostRunner(exceeded());
    } finally {
      this.states.apply('exit');
    }
  }

  /** Sends TERM to the process group, and KILL to all processes after `graceMs`; KILL at once if that is 0. */
  stop(graceMs: number): void {
    if (graceMs <= 0) return this.kill();
    this.states.apply('terminate');
    this.runner.signal('TERM');
    setTimeout(() => this.kill(), graceMs).unref();
  }

  private kill(): void {
    if (this.states.isIn('ended')) return;
    this.states.apply('kill');
    this.runner.signal('KILL');
    setTimeout(() => {
      if (!this.states.isIn('ended')) this.runner.kill();
    }, KILL_TIMEOUT_MS).unref();
  }

  private readExit(response: string[], exceeded: KillReason | null): CommandExit {
    const [kind, id, status, cpuUs, rssKib, isClean] = response;
    if (kind !== 'exit' || id !== this.id) return this.handleLostRunner(exceeded);
    if (isClean !== '1') this.runner.kill();
    const signal = Number(status) & 0x7f;
    const code = signal === 0 ? Number(status) >> 8 : null;
    return {
      code,
      signal: signal === 0 ? null : signalName(signal),
      cpuMs: this.meter.cpuMs(Number(cpuUs) / 1000),
      maxRssBytes: Number(rssKib) * 1024,
      killReason: exceeded ?? this.findKernelLimit(code, signal),
    };
  }

  /** A limit that the kernel enforced. A shell turns the signal of its child into exit code 128 + signal. */
  private findKernelLimit(code: number | null, signal: number): KillReason | null {
    if (code === 0) return null;
    if (this.meter.ranOutOfMemory()) return 'memory';
    return endedByFileSize(code, signal) ? 'fileSize' : null;
  }

  /** The runner died, or sent a response that does not belong to this command: its further responses cannot be trusted. */
  private handleLostRunner(exceeded: KillReason | null): CommandExit {
    this.runner.kill();
    const ranOutOfMemory = this.meter.ranOutOfMemory();
    const killReason = exceeded ?? (ranOutOfMemory ? 'memory' : 'lost');
    return { code: null, signal: 'SIGKILL', cpuMs: this.meter.cpuMs(0), maxRssBytes: 0, killReason };
  }
}
