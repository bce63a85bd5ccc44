import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries removed before other work of this process gets its turn; about 10 ms. */
const SLICE = 1000;
/** Bytes of a path from which on a folder is moved up: half of what Linux takes (PATH_MAX), so names below still fit. */
const LONG_PATH = 2048;
const SLASH = Buffer.from('/');

/**
 * Empties a folder that a command may have left in any state: folders without permissions, links, pipes, any number of
 * files, paths longer than the system takes. Names in `keep` stay, if they are folders. The folder itself stays, for it
 * is mounted somewhere.
 */
export async function wipeFolder(
  folder: string,
  keep: readonly string[] = [],
  spare: (file: Buffer) => boolean = () => false,
): Promise<void> {
  const removal = new Removal(folder);
  // As bytes: a name that is not UTF-8 could not be found again by its decoded form.
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory() && keep.includes(entry.name.toString())) continue;
    const path = below(folder, entry.name);
    if (entry.isDirectory()) await removal.remove(path);
    else if (!entry.isFile() || !spare(path)) unlinkSync(path);
  }
}

/** Removes trees below `top`, which it may use to put parts of them. */
class Removal {
  private readonly lifted: Buffer[] = [];

  constructor(private readonly top: string) {}

  async remove(tree: Buffer): Promise<void> {
    for (let next: Buffer | undefined = tree; next; next = this.lifted.pop()) await this.removeFolder(next);
  }

  private async removeFolder(path: Buffer): Promise<void> {
    try {
      return rmdirSync(path);
    } catch {
      // Not empty, or not ours to read: the long way.
    }
    makeRemovable(path);
    if (path.length > LONG_PATH) return this.lift(path);
    const entries = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
    for (const [index, entry] of entries.entries()) {
      const inner = below(path, entry.name);
      if (entry.isDirectory()) await this.removeFolder(inner);
      else unlinkSync(inner);
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
    rmdirSync(path);
  }

  /** Moves a folder to the top, under a name that no command can have taken, to be removed from there. */
  private lift(path: Buffer): void {
    const target = below(this.top, Buffer.from(randomUUID()));
    renameSync(path, target);
    this.lifted.push(target);
  }
}

/** Gives back to the owner what a command took away, since an ordinary user cannot remove what it cannot enter. */
function makeRemovable(folder: Buffer): void {
  if ((lstatSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function below(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}
