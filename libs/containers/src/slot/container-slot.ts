import { join } from 'node:path';
import type { InodePool } from '@millrace/isolation/folders/inode-pool';
import type { SlotPaths } from '@millrace/isolation/folders/slot-folders';
import type { WipeOffThread } from '@millrace/isolation/folders/wipe-folder';
import type { Limits } from '@millrace/isolation/limits/limits';
import { watchCommand } from '@millrace/isolation/limits/watch-command';
import { drawUserId } from '@millrace/isolation/sandbox/draw-user-id';
import type { Command, CommandExit } from '@millrace/isolation/slot/running-command';
import { SLOT_TRANSITIONS, StateMachine } from '@millrace/isolation/slot/slot-states';
import { SlotStorage } from '@millrace/isolation/slot/slot-storage';
import { STOP_GRACE_MS, type StepRequirements, type StepSlot } from '@millrace/isolation/slot/step-slot';
import { CONTAINER_PATHS, type ContainerExecutor, type ContainerRun } from '../container-executor.js';

export interface ContainerSlotOptions {
  executor: ContainerExecutor;
  limits: Limits;
  /** Files and folders to use again; several slots can share a pool. */
  inodes: InodePool;
  /** Empties folders with so many files that it would block this thread. */
  wipeOffThread?: WipeOffThread;
}

/** A slot whose commands run in a container each. Nothing of a container is left for the next command. */
export class ContainerSlot implements StepSlot {
  readonly cwd = CONTAINER_PATHS.work;
  readonly home = CONTAINER_PATHS.temporary;
  readonly path = null;
  readonly kernelLimits = { memory: true, processes: true };
  readonly isInputReadOnly = true;
  readonly sandboxOwner = null;
  private readonly states = new StateMachine(SLOT_TRANSITIONS, 'free');
  private readonly storage: SlotStorage;
  /** Only root can give the folders to another user. */
  private readonly uid = process.getuid?.() === 0 ? drawUserId() : null;
  private requirements: StepRequirements | null = null;
  private current: ContainerRun | null = null;

  /** @param folder the slot's folders are made below it, in one called `name` */
  constructor(
    name: string,
    folder: string,
    private readonly options: ContainerSlotOptions,
  ) {
    const { inodes, wipeOffThread } = options;
    this.storage = new SlotStorage(join(folder, name), {
      isSandboxed: true,
      uid: this.uid,
      inodes,
      ...(wipeOffThread && { wipeOffThread }),
    });
  }

  get limits(): Limits {
    return this.options.limits;
  }

  get folders(): SlotPaths {
    return this.storage.paths;
  }

  reserve(_owner: string): void {
    this.states.apply('reserve');
    this.storage.use();
  }

  async open(requirements: StepRequirements): Promise<void> {
    this.storage.use();
    // An earlier container can have changed modes, owners and attributes of its folders.
    await this.storage.recreateIfUsed();
    this.requirements = requirements;
    this.states.apply('open');
  }

  makeInputFolder(path: string): void {
    this.storage.makeInputFolder(path);
  }

  writeInputFile(path: string, content: Uint8Array): Promise<void> {
    return this.storage.writeInputFile(path, content);
  }

  /** @throws ImageUnavailableError */
  async run(command: Command): Promise<CommandExit> {
    const { executor, limits } = this.options;
    if (this.states.isIn('shutDown')) throw new Error('The slot has shut down.');
    const { requirements } = this;
    if (!requirements?.image) throw new Error('A slot of containers must be opened with an image.');
    const { image, network, memoryBytes } = requirements;
    this.states.apply('run');
    this.storage.beginCommand();
    this.storage.markUsed();
    const { uid, folders } = this;
    const run = executor.run({ ...command, image, folders, uid, network, memoryBytes, limits });
    this.current = run;
    const { writableFolders } = this.storage;
    const processes = async () => run.processes();
    const watch = watchCommand({ folders: writableFolders, limits, memoryBytes: null, processes }, () => this.stop(0));
    try {
      const exit = await run.exit;
      return { ...exit, killReason: watch.exceeded() ?? exit.killReason };
    } finally {
      this.current = null;
      this.states.apply('exit');
      watch.stop();
    }
  }

  stop(graceMs = STOP_GRACE_MS): void {
    this.current?.stop(graceMs);
  }

  markOutputsCollected(): void {
    this.storage.markOutputsCollected();
  }

  async clear(secret = false): Promise<void> {
    await this.storage.clear(secret);
    // A container that was lost and still runs keeps what it has mounted.
    this.storage.replaceInput();
  }

  async close(): Promise<void> {
    if (!this.storage.isEmpty) await this.clear();
    this.states.apply('close');
  }

  prestart(): void {
    // A container starts when its command is known.
  }

  async shutdown(): Promise<void> {
    this.states.apply('shutDown');
    const { current } = this;
    current?.stop(0);
    await current?.exit.catch(() => undefined);
  }
}
