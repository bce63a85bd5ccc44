import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';

/** Longer than a start, also while the event loop of its lane is busy. */
const STALE_MS = 600_000;

/**
 * Starts the system of a lane while no other lane starts one. Several that start together take so long on two cores that none
 * becomes ready.
 */
export async function startAlone<T>(start: () => Promise<T>): Promise<T> {
  const retries = { forever: true, minTimeout: 500, maxTimeout: 500 };
  const release = await lock(join(tmpdir(), 'millrace-lane-starts'), { realpath: false, stale: STALE_MS, retries });
  try {
    return await start();
  } finally {
    await release();
  }
}
