import { join } from 'node:path';
import type { InodePool } from '../folders/inode-pool.js';
import type { SlotPaths } from '../folders/slot-folders.js';
import type { WipeOffThread } from '../folders/wipe-folder.js';
import type { Limits } from '../limits/limits.js';
import { watchCommand } from '../limits/watch-command.js';
import type { Isolation } from '../prepare/prepare-isolation.js';
import { SANDBOX_PATHS } from '../sandbox/build-bwrap-arguments.js';
import { drawUserId } from '../sandbox/draw-user-id.js';
import { type Command, type CommandExit, RunningCommand } from './running-command.js';
import { SlotRunner } from './slot-runner.js';
import { SlotSandbox } from './slot-sandbox.js';
import { SLOT_TRANSITIONS, StateMachine } from './slot-states.js';
import { SlotStorage } from './slot-storage.js';
import { type KernelLimits, type SlotRequirements, STOP_GRACE_MS, type StepSlot } from './step-slot.js';
import { UsageMeter } from './usage-meter.js';

export interface SlotOptions {
  isolation: Isolation;
  /** Files and folders to use again; several slots can share a pool. */
  inodes: InodePool;
  /** Replaces `work` as the working directory. Its owner empties it; the slot never does. */
  workspace?: string;
  /** Empties folders with so many files that it would block this thread. */
  wipeOffThread?: WipeOffThread;
}

/**
 * A place where commands run one at a time, in a working directory that is emptied in between: `reserve`, then `open`, `run`
 * and `clear` for each command, then `close`. With isolation the commands run in a sandbox (`SlotSandbox`). The states are in
 * slot-states.ts.
 */
export class Slot implements StepSlot {
  /** Working directory as the command sees it. */
  readonly cwd: string;
  /** Home and temporary folder as the command sees it. */
  readonly home: string;
  /** The `step` folder as the command sees it. */
  readonly stepFolder: string;
  /** User that only this slot's commands are on this machine; null if they are the user of this process. */
  readonly uid: number | null;
  private readonly states = new StateMachine(SLOT_TRANSITIONS, 'free');
  private readonly storage: SlotStorage;
  private readonly runner: SlotRunner;
  private readonly sandbox: SlotSandbox | null;
  private readonly meter: UsageMeter;
  private readonly isolation: Isolation;
  private owner = '';
  private command: RunningCommand | null = null;
  private lastCommand = 0;
  private memoryBytes = 0;

  /** @param folder the slot's folders are made below it, in one called `name` */
  constructor(name: string, folder: string, { isolation, ...options }: SlotOptions) {
    const isSandboxed = isolation.mode === 'sandbox';
    const uid = isolation.hasUserPerSlot ? drawUserId() : null;
    this.isolation = isolation;
    this.uid = uid;
    this.storage = new SlotStorage(join(folder, name), { ...options, isSandboxed, uid });
    const { paths, temporary } = this.storage;
    const { workspace } = options;
    if (isSandboxed) this.cwd = workspace === undefined ? SANDBOX_PATHS.work : SANDBOX_PATHS.workspace;
    else this.cwd = workspace ?? paths.work;
    this.home = isSandboxed ? SANDBOX_PATHS.temporary : temporary;
    this.stepFolder = isSandboxed ? SANDBOX_PATHS.step : paths.step;
    this.runner = new SlotRunner(name, isolation.limits, isSandboxed, uid);
    this.sandbox = isSandboxed ? new SlotSandbox(this.runner, this.storage, isolation, uid) : null;
    this.meter = new UsageMeter(this.runner.group);
  }

  /** Folders as this process sees them. Never follow a link that is in `work`. */
  get folders(): SlotPaths {
    return this.storage.paths;
  }

  get isSandboxed(): boolean {
    return this.sandbox !== null;
  }

  get isInputReadOnly(): boolean {
    return this.isSandboxed;
  }

  get path(): string {
    return this.isolation.path;
  }

  get limits(): Limits {
    return this.isolation.limits;
  }

  /** Whether the CPU time of all processes is counted; otherwise that of processes which their parent does not wait for is missing. */
  get countsAllCpuTime(): boolean {
    return (this.runner.group?.cpuMs() ?? null) !== null;
  }

  get kernelLimits(): KernelLimits {
    return this.runner.kernelLimits;
  }

  /** Owner that the current sandbox belongs to; null if any owner can have it. */
  get sandboxOwner(): string | null {
    return this.sandbox?.owner ?? null;
  }

  /** Reserves the slot, until `close`, for an owner: commands of one owner may follow each other in one sandbox. */
  reserve(owner: string): void {
    this.states.apply('reserve');
    this.owner = owner;
    this.storage.use();
    this.sandbox?.reserve(owner);
  }

  /** Makes the slot ready for a command; cheap if the sandbox already fits. @throws Error if no sandbox starts */
  async open({ network, memoryBytes }: SlotRequirements): Promise<void> {
    if (this.states.isIn('free')) throw new Error('A slot must be reserved before it is opened.');
    this.storage.use();
    await this.sandbox?.waitForReplacement();
    if (this.runner.restartIfBroken()) this.sandbox?.forget();
    this.memoryBytes = memoryBytes;
    this.runner.group?.limitMemory(memoryBytes);
    await (this.sandbox ? this.sandbox.claim(this.owner, network) : this.runner.ready);
    this.states.apply('open');
  }

  /** Makes a folder below `in`, by its absolute path on this machine. Nothing may exist there. */
  makeInputFolder(path: string): void {
    this.storage.makeInputFolder(path);
  }

  /** Writes a file below `in`. Nothing may exist there. */
  writeInputFile(path: string, content: Uint8Array): Promise<void> {
    return this.storage.writeInputFile(path, content);
  }

  /**
   * Empties the working directory and all temporary folders; `in` and `out` exist and are empty afterwards.
   * @param secret whether files of `in` contain secrets, and must not be recycled
   */
  async clear(secret = false): Promise<void> {
    await this.sandbox?.waitForStart();
    await this.storage.clear(secret);
  }

  /** Call this if all that was in `out` has been moved away: `clear` then does not look into it. */
  markOutputsCollected(): void {
    this.storage.markOutputsCollected();
  }

  /** Runs a command, and resolves when it and everything that it started has ended. Its output is in the step folder. */
  async run(command: Command): Promise<CommandExit> {
    this.states.apply('run');
    this.storage.beginCommand();
    const running = new RunningCommand(String(++this.lastCommand), this.runner, this.meter);
    this.command = running;
    const watch = watchCommand(
      {
        folders: this.storage.writableFolders,
        limits: this.isolation.limits,
        memoryBytes: this.kernelLimits.memory ? null : this.memoryBytes,
        processes: () => this.runner.findProcesses(),
      },
      () => this.stop(0),
    );
    try {
      const exit = await running.run(command, { cwd: this.cwd, step: this.stepFolder }, () => watch.exceeded());
      if (exit.code !== 0 || exit.killReason !== null) this.sandbox?.taint();
      return exit;
    } finally {
      this.command = null;
      this.states.apply('exit');
      watch.stop();
    }
  }

  /** Ends the running command: sends TERM to its process group, and KILL to all of its processes after `graceMs`. */
  stop(graceMs = STOP_GRACE_MS): void {
    if (this.command === null) return;
    this.sandbox?.taint();
    this.command.stop(graceMs);
  }

  /** Empties the folders. Retains the sandbox for its owner if all went well in it; otherwise starts a fresh one. */
  async close(): Promise<void> {
    await this.sandbox?.waitForReplacement();
    const isRetained = (await this.sandbox?.canBeRetained()) ?? false;
    if (!isRetained && this.sandboxOwner !== null) await this.sandbox?.end();
    if (!this.storage.isEmpty) await this.clear();
    this.states.apply('close');
    if (isRetained) this.sandbox?.retain();
    else this.prestart();
  }

  /** Starts a sandbox ahead of need. A failure appears when a command needs the sandbox. */
  prestart(): void {
    if (this.runner.isAlive) this.sandbox?.prestart();
  }

  /** Ends all processes of the slot. */
  async shutdown(): Promise<void> {
    this.states.apply('shutDown');
    this.sandbox?.stopRetention();
    await this.runner.shutdown();
  }
}
