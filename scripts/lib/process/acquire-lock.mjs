import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readJson } from '../write-json.mjs';
import { isRunning, processIdentity } from './process-identity.mjs';

/**
 * Acquires a lock file for this process, such as the one of a data directory's only supervisor.
 * @param {string} file
 * @returns {{ acquired: true, release: () => void } | { acquired: false, pid: number }} pid: the process that has the lock
 */
export function acquireLock(file) {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }), { mode: 0o600 });
  try {
    for (;;) {
      // Creating a link is atomic, and never replaces an existing file.
      if (tryLink(draft, file)) return { acquired: true, release: () => rmSync(file, { force: true }) };
      const holder = findLockHolder(file);
      if (holder) return { acquired: false, pid: holder.pid };
      removeStale(file);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {import('./process-identity.mjs').ProcessRef | undefined} the running process that has the lock
 */
export function findLockHolder(file) {
  const ref = readJson(file);
  return isRunning(ref) ? ref : undefined;
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. If another process replaced it at the same moment, that lock is restored.
 * @param {string} file
 */
function removeStale(file) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (isRunning(readJson(aside))) tryLink(aside, file);
  rmSync(aside, { force: true });
}
