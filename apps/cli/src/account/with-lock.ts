import { mkdir, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A holder says every few seconds that it lives; one that has been silent for so long was killed. */
const STALE_MS = 15_000;
const SIGN_OF_LIFE_MS = 3_000;

/** Does the work while no other process holds the lock `path`, a directory, since making one is atomic everywhere. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await take(path))) {
    if (await isStale(path)) await rmdir(path).catch(() => undefined);
    else await sleep(50);
  }
  const alive = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(alive);
    await rmdir(path).catch(() => undefined);
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
}
