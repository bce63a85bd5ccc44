import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wipeFolder } from '@millrace/isolation/wipe-folder';

export interface WorkFolder {
  folder: string;
  /** This worker's new id, fit for a NATS subject. */
  worker: string;
  /** The worker that had this folder before and is certainly gone. */
  replaces: string | null;
}

interface Owner {
  worker: string;
  pid: number;
  started: string;
}

type Wipe = (folder: string) => Promise<unknown>;

const LEFTOVER = 'leftover-';
/** A lock older than this is that of a process that died with it in its hands. */
const STALE_MS = 10_000;

/**
 * Takes the first folder below `root` that no living worker has, and empties it. Several workers can share a root; one that
 * starts again after a crash gets its old folder, and thereby knows whom it replaces. What cannot be emptied is set aside
 * with a warning, and tried again at every later start.
 */
export async function claimWorkFolder(root: string, wipe: Wipe = wipeFolder): Promise<WorkFolder> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const unlock = await lock(join(root, 'lock'));
  try {
    await removeLeftovers(root, wipe);
    for (let number = 1; ; number += 1) {
      const folder = join(root, `worker-${number}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const owner = readOwner(folder);
      if (owner && isAlive(owner)) continue;
      if (!(await empty(folder, root, wipe))) continue;
      const worker = `w-${randomBytes(8).toString('hex')}`;
      const self: Owner = { worker, pid: process.pid, started: startOf(process.pid) ?? '' };
      writeFileSync(join(folder, 'owner.json'), JSON.stringify(self));
      return { folder, worker, replaces: owner?.worker ?? null };
    }
  } finally {
    unlock();
  }
}

async function removeLeftovers(root: string, wipe: Wipe): Promise<void> {
  for (const name of readdirSync(root).filter((one) => one.startsWith(LEFTOVER))) {
    try {
      await wipe(join(root, name));
      rmdirSync(join(root, name));
    } catch (error) {
      process.emitWarning(`${name} still cannot be removed: ${String(error)}`);
    }
  }
}

/** Whether there is an empty folder now. */
async function empty(folder: string, root: string, wipe: Wipe): Promise<boolean> {
  try {
    await wipe(folder);
    return true;
  } catch (error) {
    process.emitWarning(`${folder} cannot be emptied, and is set aside: ${String(error)}`);
  }
  try {
    renameSync(folder, join(root, `${LEFTOVER}${randomBytes(8).toString('hex')}`));
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** Whether the very process is alive, and not another that got its number. */
const isAlive = (owner: Owner): boolean => startOf(owner.pid) === owner.started;

/** When a process started, in clock ticks since boot (proc(5), field 22 of stat), with the boot it belongs to. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return null;
  }
}

function readOwner(folder: string): Owner | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as Owner;
  } catch {
    return null;
  }
}

async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      mkdirSync(path);
      return () => rmdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > STALE_MS) breakLock(path);
    else await sleep(50);
  }
}

function breakLock(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another worker was quicker.
  }
}
