import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries removed before other work of this process gets its turn; about 10 ms. */
const SLICE = 1000;
const SLASH = Buffer.from('/');

/**
 * Empties a folder that a command may have left in any state: folders without permissions, links, pipes, any number of
 * files. Names in `keep` stay, if they are folders. The folder itself stays, for it is mounted somewhere.
 */
export async function wipeFolder(
  folder: string,
  keep: readonly string[] = [],
  spare: (file: Buffer) => boolean = () => false,
): Promise<void> {
  // As bytes: a name that is not UTF-8 could not be found again by its decoded form.
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory() && keep.includes(entry.name.toString())) continue;
    const path = below(folder, entry.name);
    if (entry.isDirectory()) await removeTree(path);
    else if (!entry.isFile() || !spare(path)) unlinkSync(path);
  }
}

async function removeTree(path: Buffer): Promise<void> {
  try {
    return rmdirSync(path);
  } catch {
    // Not empty, or not ours to read: the long way.
  }
  makeRemovable(path);
  const entries = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  for (const [index, entry] of entries.entries()) {
    const inner = below(path, entry.name);
    if (entry.isDirectory()) await removeTree(inner);
    else unlinkSync(inner);
    if (index % SLICE === SLICE - 1) await nextTurn();
  }
  rmdirSync(path);
}

/** Gives back to the owner what a command took away, since an ordinary user cannot remove what it cannot enter. */
function makeRemovable(folder: Buffer): void {
  if ((lstatSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function below(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), SLASH, name]);
}
