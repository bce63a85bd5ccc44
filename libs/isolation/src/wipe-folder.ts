import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync, type Dirent, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries removed before other work of this process gets its turn; about 10 ms. */
const SLICE = 1000;
/** Bytes of a path from which on a folder is moved up: half of what Linux takes (PATH_MAX), so names below still fit. */
const LONG_PATH = 2048;
const SLASH = Buffer.from('/');

/** Has a use for what would be removed: moves it away, or leaves it where it is. */
export interface Taker {
  /** Whether it took this file. */
  takeFile(path: Buffer): boolean;
  /** Whether it took this folder, which is empty, and was as `entry` says. */
  takeFolder(path: Buffer, entry: Stats): boolean;
}

const NOBODY: Taker = { takeFile: () => false, takeFolder: () => false };

/**
 * Empties a folder that a command may have left in any state: folders without permissions, links, pipes, any number of
 * files, paths longer than the system takes. Names in `keep` stay, if they are folders, and the answer is which of them
 * are there. The folder itself stays, for it is mounted somewhere, and can be used by its owner whatever the command did to it.
 */
export async function wipeFolder(
  folder: string,
  keep: readonly string[] = [],
  taker: Taker = NOBODY,
): Promise<string[]> {
  const removal = new Removal(folder, taker);
  const kept: string[] = [];
  makeRemovable(folder);
  // As bytes: a name that is not UTF-8 could not be found again by its decoded form.
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString();
    if (entry.isDirectory() && keep.includes(name)) kept.push(name);
    else await removal.remove(below(folder, entry.name), entry);
  }
  return kept;
}

/** Removes trees below `top`, which it may use to put parts of them. */
class Removal {
  private readonly lifted: Buffer[] = [];

  constructor(
    private readonly top: string,
    private readonly taker: Taker,
  ) {}

  async remove(path: Buffer, entry: Dirent<Buffer>): Promise<void> {
    if (!entry.isDirectory()) return this.removeFile(path, entry);
    for (let next: Buffer | undefined = path; next; next = this.lifted.pop()) await this.removeFolder(next);
  }

  private removeFile(path: Buffer, entry: Dirent<Buffer>): void {
    if (!entry.isFile() || !this.taker.takeFile(path)) unlinkSync(path);
  }

  private async removeFolder(path: Buffer): Promise<void> {
    const folder = makeRemovable(path);
    if (path.length > LONG_PATH) return this.lift(path);
    const entries = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
    for (const [index, entry] of entries.entries()) {
      const inner = below(path, entry.name);
      if (entry.isDirectory()) await this.removeFolder(inner);
      else this.removeFile(inner, entry);
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
    if (!this.taker.takeFolder(path, folder)) rmdirSync(path);
  }

  /** Moves a folder to the top, under a name that no command can have taken, to be removed from there. */
  private lift(path: Buffer): void {
    const target = below(this.top, Buffer.from(randomUUID()));
    renameSync(path, target);
    this.lifted.push(target);
  }
}

/** Gives back to the owner what a command took away, since an ordinary user cannot remove what it cannot enter. */
function makeRemovable(folder: string | Buffer): Stats {
  const entry = lstatSync(folder);
  if ((entry.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  return entry;
}

function below(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}
