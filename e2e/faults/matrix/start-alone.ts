import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts the system of a lane while no other lane starts one. Several that start together take so long on two cores that none
 * becomes ready. If the lane that starts is killed, the others wait until their tests time out; the folder is that of one run of tests.
 */
export async function startAlone<T>(start: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), 'millrace-lane-starts');
  while (!(await tryMakeFolder(lock))) await sleep(500);
  try {
    return await start();
  } finally {
    await rm(lock, { recursive: true });
  }
}

async function tryMakeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
