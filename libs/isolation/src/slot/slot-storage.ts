import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InodePool } from '../folders/inode-pool.js';
import { type SlotPaths, chownFolders, makeFoldersPrivate, recreateFolders } from '../folders/slot-folders.js';
import { type Recycler, type WipeOffThread, wipeFolder } from '../folders/wipe-folder.js';
import { CONTENT_TRANSITIONS, StateMachine } from './slot-states.js';

export interface SlotStorageOptions {
  isSandboxed: boolean;
  /** User that commands have on this machine; null if they are the user of this process. */
  uid: number | null;
  inodes: InodePool;
  /** Replaces `work` as the working directory. Its owner empties it; this class never does. */
  workspace?: string;
  /** Empties folders with so many files that it would block this thread. */
  wipeOffThread?: WipeOffThread;
}

/** The folders of one slot: makes them, fills `in`, and empties all of them between commands. */
export class SlotStorage {
  readonly paths: SlotPaths;
  /** Temporary folder of commands without a sandbox; a sandbox has its own /tmp. */
  readonly temporary: string;
  private readonly contents = new StateMachine(CONTENT_TRANSITIONS, 'dirty');
  /** Commands can leave modes, owners and attributes on folders that they have had. */
  private generation: 'new' | 'used' = 'new';
  private readonly logs: Recycler;

  constructor(
    base: string,
    private readonly options: SlotStorageOptions,
  ) {
    const { isSandboxed, uid, workspace } = options;
    const work = join(base, 'work');
    const input = isSandboxed ? join(base, 'in') : join(work, 'in');
    this.paths = { work, input, output: join(work, 'out'), step: join(base, 'step') };
    this.temporary = join(base, 'tmp');
    const { output, step } = this.paths;
    for (const path of [join(work, 'in'), input, output, step, this.temporary]) mkdirSync(path, { recursive: true });
    chownFolders(this.paths, uid, workspace);
    this.logs = recycleEmptyLogs(step);
    if (!isSandboxed) makeFoldersPrivate([work, step, this.temporary], uid);
  }

  /** Folders to mount into a sandbox. */
  get sandboxFolders(): SlotPaths & { workspace?: string } {
    const { workspace } = this.options;
    return workspace === undefined ? this.paths : { ...this.paths, workspace };
  }

  /** Folders that a command can fill. */
  get writableFolders(): string[] {
    const { isSandboxed, workspace } = this.options;
    const { work, step } = this.paths;
    return [work, step, ...(isSandboxed ? [] : [this.temporary]), ...(workspace === undefined ? [] : [workspace])];
  }

  get isEmpty(): boolean {
    return this.contents.isIn('empty');
  }

  /** Something may be put into the folders from now on. */
  use(): void {
    this.contents.apply('use');
  }

  /** A command may write to the folders from now on. */
  beginCommand(): void {
    this.contents.apply('run');
  }

  /** All that was in `out` has been moved away, so that `clear` need not look into it. */
  markOutputsCollected(): void {
    this.contents.apply('collect');
  }

  /** Makes a folder below `in`, by its absolute path on this machine. Nothing may exist there. */
  makeInputFolder(path: string): void {
    this.use();
    this.options.inodes.makeFolder(path);
  }

  /** Writes a file below `in`. Nothing may exist there. */
  writeInputFile(path: string, content: Uint8Array): Promise<void> {
    this.use();
    return this.options.inodes.writeFile(path, content);
  }

  /** Empties all folders. @param secret whether files of `in` contain secrets, and must not be recycled */
  async clear(secret: boolean): Promise<void> {
    const { isSandboxed, uid, inodes, wipeOffThread } = this.options;
    const { work, input, output, step } = this.paths;
    const areOutputsCollected = this.contents.isIn('collected');
    this.use();
    const wipe = (folder: string, retained: string[] = [], recycler?: Recycler) =>
      wipeFolder(folder, retained, recycler, wipeOffThread);
    const existing = await wipe(work, ['in', 'out']);
    for (const name of ['in', 'out']) if (!existing.includes(name)) mkdirSync(join(work, name));
    if (existing.length < 2) chownFolders(this.paths, uid);
    if (!areOutputsCollected) await wipe(output);
    await wipe(input, [], secret ? undefined : inodes);
    await wipe(step, [], this.logs);
    if (!isSandboxed) await wipe(this.temporary);
    this.contents.apply('clear');
  }

  /** Makes the empty `in` a new folder, which nothing that an earlier command has left can see. */
  replaceInput(): void {
    const { input } = this.paths;
    rmdirSync(input);
    mkdirSync(input);
  }

  /** Commands have the folders from now on. */
  markUsed(): void {
    this.generation = 'used';
  }

  /** Replaces the folders by new ones if commands have had them. */
  async recreateIfUsed(): Promise<void> {
    if (this.generation === 'used') await recreateFolders(this.paths, this.options.uid);
    this.generation = 'new';
  }
}

/** Mode of a file that its owner can read and write. */
const OWNER_READ_WRITE = 0o600;

/** Leaves empty log files in place. Most commands leave at least one, and it is as good as a new file. */
function recycleEmptyLogs(folder: string): Recycler {
  const logs = ['stdout', 'stderr'].map((name) => Buffer.from(join(folder, name)));
  return {
    recycleFile(path) {
      if (!logs.some((log) => log.equals(path))) return false;
      const { size, nlink, mode } = lstatSync(path);
      return size === 0 && nlink === 1 && (mode & OWNER_READ_WRITE) === OWNER_READ_WRITE;
    },
    recycleFolder: () => false,
  };
}
