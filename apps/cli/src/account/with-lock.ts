import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/** A holder renews its lock every few seconds. A lock without renewal for this long belongs to a killed process. */
const STALE_MS = 15_000;
const RENEWAL_INTERVAL_MS = 3_000;
const RETRY_INTERVAL_MS = 50;

type Release = () => Promise<void>;

/**
 * Runs `work` while no other process holds the lock at `path`. Waits for a living holder and takes over the lock of a killed
 * one. The lock is a directory, because creating one is atomic on every file system.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const release = await acquire(path);
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}

/**
 * `proper-lockfile` checks whether a lock is stale and removes it in two steps, so of two processes that find the same stale
 * lock, the slower one could remove the new lock of the faster one. Therefore each attempt runs inside of a second lock.
 */
async function acquire(path: string): Promise<Release> {
  for (;;) {
    const releaseGate = await tryLock(`${path}.gate`);
    if (releaseGate !== null) {
      try {
        const release = await tryLock(path);
        if (release !== null) return release;
      } finally {
        await releaseGate().catch(() => undefined);
      }
    }
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** Returns null if another process holds the lock. */
async function tryLock(path: string): Promise<Release | null> {
  try {
    return await lock(path, {
      ...{ lockfilePath: path, realpath: false, stale: STALE_MS, update: RENEWAL_INTERVAL_MS },
      // A suspended process can lose its lock. As the work is short, it finishes all the same.
      onCompromised: () => undefined,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return null;
    throw error;
  }
}
