import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dataLayout } from '../layout.mjs';
import { isRunning } from '../process/process-identity.mjs';
import { stopRunning } from '../system/stop-running.mjs';
import { readJson } from '../write-json.mjs';
import { endStrays } from './end-strays.mjs';
import { TEST_ROOTS } from './test-root.mjs';

export const PREFIX = 'millrace-test-';

/** Contains the process that owns a test folder. */
export const OWNER_FILE = 'owner.json';

/**
 * Ends every system whose data is below a folder, and removes the folder.
 * @param {string} folder
 */
export async function removeTestFolder(folder) {
  const systems = foldersWithin(folder, 3)
    .map(dataLayout)
    .filter((layout) => readJson(layout.lock) ?? readJson(layout.state));
  const others = systems.filter((layout) => readJson(layout.lock)?.pid !== process.pid);
  await Promise.all(others.map(stopRunning));
  endStrays(folder);
  unmountBelow(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/**
 * Unmounts the small disks of the fault matrix, if its tests were ended before they could.
 * @param {string} folder
 */
function unmountBelow(folder) {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const points = mounts.map((mount) => mount.split(' ')[1] ?? '').filter((point) => point.startsWith(`${folder}/`));
  // The last one first, because it may be within another. A lazy one works while an ended process still has files.
  for (const point of points.toReversed()) spawnSync('umount', ['--lazy', point]);
}

/** Removes the folders of test runs that were killed. */
export async function sweepLeftovers() {
  const folders = TEST_ROOTS.flatMap(subfolders).filter((folder) => basename(folder).startsWith(PREFIX));
  const abandoned = folders.filter(
    (folder) => readJson(join(folder, OWNER_FILE)) && !isRunning(readJson(join(folder, OWNER_FILE))),
  );
  for (const folder of abandoned) await removeTestFolder(folder).catch(() => undefined);
}

/**
 * @param {string} folder
 * @param {number} depth
 * @returns {string[]} the folder and the folders below it
 */
function foldersWithin(folder, depth) {
  return [folder, ...(depth > 0 ? subfolders(folder).flatMap((below) => foldersWithin(below, depth - 1)) : [])];
}

/** @param {string} folder */
function subfolders(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}
