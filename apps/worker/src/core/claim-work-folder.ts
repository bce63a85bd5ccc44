import { randomBytes } from 'node:crypto';
import { ftruncateSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { joinedWorkerOf } from '@millrace/contracts/auth/join';
import { wipeFolder } from '@millrace/isolation/folders/wipe-folder';
import { lockFile, type FileLock } from './lock-file.js';

export interface WorkFolder {
  folder: string;
  /** This worker's new id, fit for a NATS subject. */
  worker: string;
  /** The worker that had this folder before and certainly runs no more; null if there was none. */
  replaces: string | null;
  /** Lets another worker claim the folder, as the end of this process does. */
  release(this: void): void;
}

type Wipe = (folder: string) => Promise<unknown>;

const LEFTOVER = 'leftover-';

/**
 * Claims the first folder below `root` that no running worker has, and empties it. Any number of workers can share a root,
 * in one container or in several: each locks a file `worker-<number>.lock`, which contains its id. A worker that restarts
 * after a crash gets its old folder, and thereby learns which worker it replaces. A folder that cannot be emptied is renamed
 * with a warning, and every later start tries to remove it.
 * @param id of a joined worker, with which the new id begins
 */
export async function claimWorkFolder(root: string, wipe: Wipe = wipeFolder, id?: string): Promise<WorkFolder> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  await removeLeftovers(root, wipe);
  for (let number = 1; ; number += 1) {
    const folder = join(root, `worker-${number}`);
    const lock = lockFile(`${folder}.lock`);
    if (!lock) continue;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (await emptyOrSetAside(folder, root, wipe))
      return { folder, ...replaceWorkerId(lock, id), release: lock.release };
    lock.release();
  }
}

/** Replaces the id in the lock file by a new one. */
function replaceWorkerId({ descriptor }: FileLock, id?: string): { worker: string; replaces: string | null } {
  const previous = readFileSync(descriptor, 'utf8');
  const worker = id === undefined ? `w-${randomBytes(8).toString('hex')}` : `${id}-${randomBytes(4).toString('hex')}`;
  // A worker that has joined again may not act for the one that it was before.
  const replaces = joinedWorkerOf(previous) === joinedWorkerOf(worker) ? previous : '';
  ftruncateSync(descriptor);
  writeSync(descriptor, worker, 0);
  return { worker, replaces: replaces === '' ? null : replaces };
}

/** Only one worker does this at a time; others that start in the meantime skip it. */
async function removeLeftovers(root: string, wipe: Wipe): Promise<void> {
  const lock = lockFile(join(root, 'leftovers.lock'));
  if (!lock) return;
  try {
    for (const name of readdirSync(root).filter((one) => one.startsWith(LEFTOVER))) {
      await removeLeftover(join(root, name), wipe);
    }
  } finally {
    lock.release();
  }
}

async function removeLeftover(folder: string, wipe: Wipe): Promise<void> {
  try {
    await wipe(folder);
    rmdirSync(folder);
  } catch (error) {
    process.emitWarning(`${folder} still cannot be removed; the next start tries again: ${String(error)}`);
  }
}

/** @returns whether the folder exists and is empty now */
async function emptyOrSetAside(folder: string, root: string, wipe: Wipe): Promise<boolean> {
  try {
    await wipe(folder);
    return true;
  } catch (error) {
    process.emitWarning(
      `${folder} cannot be emptied; it is renamed, and the next start tries to remove it: ${String(error)}`,
    );
  }
  try {
    renameSync(folder, join(root, `${LEFTOVER}${randomBytes(8).toString('hex')}`));
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}
