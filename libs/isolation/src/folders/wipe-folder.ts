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
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Names that are read at once: a folder may have a million. */
const BATCH_ENTRIES = 1000;
/** After this time the event loop runs. It is a time and not a number of files, because removing one takes 0.02 to 1 ms. */
const SLICE_MS = 10;
/** Starting a thread takes about as long as removing this many entries. */
const MAX_ENTRIES_ON_MAIN_THREAD = 2_000;
/** A folder with a longer path is moved up. This is half of Linux's maximum (PATH_MAX), so names below it still fit. */
const LONG_PATH_BYTES = 2048;
const SLASH = Buffer.from('/');

/** Reuses files and folders that would be removed: moves them away, or leaves them in place. */
export interface Recycler {
  /** @returns whether it reuses this file */
  recycleFile(path: Buffer): boolean;
  /** @param entry state of the folder, which is empty @returns whether it reuses this folder */
  recycleFolder(path: Buffer, entry: Stats): boolean;
}

/** Empties a folder as `wipeFolder` does, in another thread. */
export type WipeOffThread = (folder: string, retained: readonly string[]) => Promise<string[]>;

const NO_RECYCLER: Recycler = { recycleFile: () => false, recycleFolder: () => false };

/**
 * Empties a folder that a command may have left in any state: folders without permissions, links, pipes, any number of
 * files, paths longer than the maximum of the system. The folder itself stays, because it may be mounted somewhere, and its owner can
 * use it afterwards.
 * @param retained names of folders that stay
 * @param offThread takes over if there are more than 2,000 entries; without it all is removed here, in slices of 10 ms
 * @returns which of `retained` exist
 */
export async function wipeFolder(
  folder: string,
  retained: readonly string[] = [],
  recycler: Recycler = NO_RECYCLER,
  offThread?: WipeOffThread,
): Promise<string[]> {
  const removal = new Removal(folder, recycler, offThread ? MAX_ENTRIES_ON_MAIN_THREAD : Infinity);
  try {
    return await removal.empty(retained);
  } catch (error) {
    if (error instanceof TooManyEntriesError && offThread) return offThread(folder, retained);
    throw error;
  }
}

/** There is more to remove than this thread should do. */
class TooManyEntriesError extends Error {}

/** Removes trees below `top`. It may move parts of them directly below `top`. */
class Removal {
  private readonly lifted: Buffer[] = [];
  private removed = 0;
  private sliceEnd = performance.now() + SLICE_MS;

  constructor(
    private readonly top: string,
    private readonly recycler: Recycler,
    private readonly maxEntries: number,
  ) {}

  /** @returns which of `retained` exist */
  async empty(retained: readonly string[]): Promise<string[]> {
    const found = new Set<string>();
    makeRemovable(this.top);
    for (const entries of readBatches(this.top)) {
      for (const entry of entries) {
        const name = entry.name.toString();
        if (entry.isDirectory() && retained.includes(name)) found.add(name);
        else await this.remove(joinPath(this.top, entry.name), entry);
      }
    }
    return [...found];
  }

  private async remove(path: Buffer, entry: Dirent<Buffer>): Promise<void> {
    await this.pause();
    if (!entry.isDirectory()) return this.removeFile(path, entry);
    for (let next: Buffer | undefined = path; next; next = this.lifted.pop()) await this.removeFolder(next);
  }

  private removeFile(path: Buffer, entry: Dirent<Buffer>): void {
    if (!entry.isFile() || !this.recycler.recycleFile(path)) unlinkSync(path);
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
    if (!this.recycler.recycleFolder(path, folder)) rmdirSync(path);
  }

  private async pause(): Promise<void> {
    if (++this.removed > this.maxEntries) throw new TooManyEntriesError();
    if (performance.now() < this.sliceEnd) return;
    await yieldToEventLoop();
    this.sliceEnd = performance.now() + SLICE_MS;
  }

  /** Moves a folder to the top, under a name that no command can have used, and removes it from there. */
  private lift(path: Buffer): void {
    const target = joinPath(this.top, Buffer.from(randomUUID()));
    renameSync(path, target);
    this.lifted.push(target);
  }
}

/** Entries of a folder in batches; remove each batch before you take the next. No folder stays open: they may be nested deeply. */
function* readBatches(folder: string | Buffer): Generator<Dirent<Buffer>[]> {
  for (let batch = readBatch(folder); batch.length > 0; batch = readBatch(folder)) {
    yield batch;
    if (batch.length < BATCH_ENTRIES) return;
  }
}

/** Names are bytes: the decoded form of a name that is not UTF-8 would not find its file. */
function readBatch(folder: string | Buffer): Dirent<Buffer>[] {
  using directory = opendirSync(folder, AS_BYTES);
  const batch: Dirent<Buffer>[] = [];
  for (let entry; batch.length < BATCH_ENTRIES && (entry = directory.readSync());)
    batch.push(entry as unknown as Dirent<Buffer>);
  return batch;
}

/** Node.js accepts `buffer` here as in `readdir`, but its types do not. */
const AS_BYTES = { encoding: 'buffer' } as unknown as OpenDirOptions;

/** Restores the owner's permissions: an ordinary user can remove only what they can enter. */
function makeRemovable(folder: string | Buffer): Stats {
  const entry = lstatSync(folder);
  if ((entry.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  return entry;
}

function joinPath(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}
