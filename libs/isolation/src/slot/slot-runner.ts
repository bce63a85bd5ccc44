import { ControlGroup } from '../cgroup/control-group.js';
import { findDescendants } from '../limits/find-descendants.js';
import { buildRlimitArguments, type Limits } from '../limits/limits.js';
import { RunnerProcess } from '../runner/runner-process.js';
import type { KernelLimits } from './step-slot.js';

/** The runner of one slot, which is replaced when it dies, and the control group that all of its processes are in. */
export class SlotRunner {
  readonly group: ControlGroup | null;
  /** Resolves when the current runner takes requests. */
  ready: Promise<void> = Promise.resolve();
  private process: RunnerProcess;

  constructor(
    name: string,
    private readonly limits: Limits,
    private readonly isSandboxed: boolean,
    private readonly uid: number | null,
  ) {
    this.group = ControlGroup.create(name, limits.processes);
    this.process = this.start();
  }

  get isAlive(): boolean {
    return this.process.isAlive;
  }

  /** Whether responses of the current runner can be trusted. */
  get isInOrder(): boolean {
    return this.process.isAlive && !this.process.isOutOfStep;
  }

  get errorOutput(): string {
    return this.process.errorOutput;
  }

  get kernelLimits(): KernelLimits {
    const hasOwnUser = this.uid !== null || (this.isSandboxed && process.getuid?.() !== 0);
    return this.group?.kernelLimits ?? { memory: false, processes: hasOwnUser };
  }

  /** Starts another runner if the current one is dead or out of step. @returns whether it did */
  restartIfBroken(): boolean {
    if (this.process.isOutOfStep) this.kill();
    if (this.process.isAlive) return false;
    this.group?.killAll();
    this.process = this.start();
    return true;
  }

  request(...fields: string[]): Promise<string[]> {
    return this.process.request(...fields);
  }

  signal(name: 'TERM' | 'KILL'): void {
    this.process.send('signal', name);
  }

  async findProcesses(): Promise<number[]> {
    return this.group?.processes() ?? findDescendants(this.process.pid);
  }

  /** Kills the runner and everything in its group. */
  kill(): void {
    this.process.kill();
    this.group?.killAll();
  }

  /** Kills the runner, and waits until it has exited. Its child processes end with it. */
  async killAndWait(): Promise<void> {
    this.process.kill();
    await this.process.close();
  }

  async shutdown(): Promise<void> {
    await this.process.close();
    this.group?.killAll();
    this.group?.remove();
  }

  private start(): RunnerProcess {
    const runner = this.isSandboxed
      ? new RunnerProcess('supervisor')
      : new RunnerProcess('unsandboxed', buildRlimitArguments(this.limits, this.uid !== null), this.uid);
    this.group?.add(runner.pid);
    this.ready = runner.nextResponse().then(() => undefined);
    this.ready.catch(() => undefined);
    return runner;
  }
}
