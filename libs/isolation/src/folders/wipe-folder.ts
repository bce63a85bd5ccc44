import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  opendirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  type Dirent,
  type OpenDirOptions,
  type Stats,
} from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Names that are read at once: a folder may hold a million. */
const BATCH_ENTRIES = 1000;
/** After so long other work of this process gets its turn. By time, because removing a file takes 0.02 to 1 ms. */
const SLICE_MS = 10;
/** Entries that are worth no thread: starting one takes about as long as removing them. */
const MAX_ENTRIES_ON_THREAD = 2_000;
/** Bytes of a path from which on a folder is moved up: half of what Linux takes (PATH_MAX), so names below still fit. */
const LONG_PATH_BYTES = 2048;
const SLASH = Buffer.from('/');

/** Has a use for what would be removed: moves it away, or leaves it where it is. */
export interface Recycler {
  /** Whether it took this file. */
  recycleFile(path: Buffer): boolean;
  /** Whether it took this folder, which is empty, and was as `entry` says. */
  recycleFolder(path: Buffer, entry: Stats): boolean;
}

/** Empties a folder as `wipeFolder` does, but outside of this thread. */
export type WipeOffThread = (folder: string, keep: readonly string[]) => Promise<string[]>;

const NO_RECYCLER: Recycler = { recycleFile: () => false, recycleFolder: () => false };

/**
 * Empties a folder that a command may have left in any state: folders without permissions, links, pipes, any number of
 * files, paths longer than the system takes. Names in `keep` stay, if they are folders, and the answer is which of them
 * are there. The folder itself stays, for it is mounted somewhere, and can be used by its owner whatever the command did to it.
 * @param elsewhere does the rest if there are more than some thousand entries; otherwise all is done here, in slices of 10 ms
 */
export async function wipeFolder(
  folder: string,
  keep: readonly string[] = [],
  taker: Recycler = NO_RECYCLER,
  elsewhere?: WipeOffThread,
): Promise<string[]> {
  const removal = new Removal(folder, taker, elsewhere ? MAX_ENTRIES_ON_THREAD : Infinity);
  try {
    return await removal.empty(keep);
  } catch (error) {
    if (error instanceof TooManyEntriesError && elsewhere) return elsewhere(folder, keep);
    throw error;
  }
}

/** There is more to remove than this thread should. */
class TooManyEntriesError extends Error {}

/** Removes trees below `top`, which it may use to put parts of them. */
class Removal {
  private readonly lifted: Buffer[] = [];
  private removed = 0;
  private sliceEnd = performance.now() + SLICE_MS;

  constructor(
    private readonly top: string,
    private readonly taker: Recycler,
    private readonly most: number,
  ) {}

  /** @returns those of `keep` that are there */
  async empty(keep: readonly string[]): Promise<string[]> {
    const kept = new Set<string>();
    makeRemovable(this.top);
    for (const entries of readBatches(this.top)) {
      for (const entry of entries) {
        const name = entry.name.toString();
        if (entry.isDirectory() && keep.includes(name)) kept.add(name);
        else await this.remove(joinPath(this.top, entry.name), entry);
      }
    }
    return [...kept];
  }

  private async remove(path: Buffer, entry: Dirent<Buffer>): Promise<void> {
    await this.pause();
    if (!entry.isDirectory()) return this.removeFile(path, entry);
    for (let next: Buffer | undefined = path; next; next = this.lifted.pop()) await this.removeFolder(next);
  }

  private removeFile(path: Buffer, entry: Dirent<Buffer>): void {
    if (!entry.isFile() || !this.taker.recycleFile(path)) unlinkSync(path);
  }

  private async removeFolder(path: Buffer): Promise<void> {
    const folder = makeRemovable(path);
    if (path.length > LONG_PATH_BYTES) return this.lift(path);
    for (const entries of readBatches(path)) {
      for (const entry of entries) {
        const inner = joinPath(path, entry.name);
        await this.pause();
        if (entry.isDirectory()) await this.removeFolder(inner);
        else this.removeFile(inner, entry);
      }
    }
    if (!this.taker.recycleFolder(path, folder)) rmdirSync(path);
  }

  private async pause(): Promise<void> {
    if (++this.removed > this.most) throw new TooManyEntriesError();
    if (performance.now() < this.sliceEnd) return;
    await nextTurn();
    this.sliceEnd = performance.now() + SLICE_MS;
  }

  /** Moves a folder to the top, under a name that no command can have taken, to be removed from there. */
  private lift(path: Buffer): void {
    const target = joinPath(this.top, Buffer.from(randomUUID()));
    renameSync(path, target);
    this.lifted.push(target);
  }
}

/** Entries of a folder, a part at a time, which is to be removed before the next. None is open meanwhile: folders may be nested deeply. */
function* readBatches(folder: string | Buffer): Generator<Dirent<Buffer>[]> {
  for (let part = readBatch(folder); part.length > 0; part = readBatch(folder)) {
    yield part;
    if (part.length < BATCH_ENTRIES) return;
  }
}

/** Names come as bytes: one that is not UTF-8 could not be found again by its decoded form. */
function readBatch(folder: string | Buffer): Dirent<Buffer>[] {
  using directory = opendirSync(folder, AS_BYTES);
  const part: Dirent<Buffer>[] = [];
  for (let entry; part.length < BATCH_ENTRIES && (entry = directory.readSync());)
    part.push(entry as unknown as Dirent<Buffer>);
  return part;
}

/** Node takes `buffer` here as in `readdir`; the types know of it there alone. */
const AS_BYTES = { encoding: 'buffer' } as unknown as OpenDirOptions;

/** Gives back to the owner what a command took away, since an ordinary user cannot remove what it cannot enter. */
function makeRemovable(folder: string | Buffer): Stats {
  const entry = lstatSync(folder);
  if ((entry.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  return entry;
}

function joinPath(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}
