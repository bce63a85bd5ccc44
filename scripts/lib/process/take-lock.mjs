import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readJson } from '../write-json.mjs';
import { isRunning, processIdentity } from './process-identity.mjs';

/**
 * Makes this process the one supervisor of a data directory.
 * @param {string} file
 * @returns {{ taken: true, release: () => void } | { taken: false, pid: number }} the pid of the one that is it already
 */
export function takeLock(file) {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }), { mode: 0o600 });
  try {
    for (;;) {
      // A link appears whole or not at all, and never replaces another's.
      if (tryLink(draft, file)) return { taken: true, release: () => rmSync(file, { force: true }) };
      const holder = lockHolder(file);
      if (holder) return { taken: false, pid: holder.pid };
      removeStale(file);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {import('./process-identity.mjs').ProcessRef | undefined} the running supervisor
 */
export function lockHolder(file) {
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
 * Moves a dead holder's lock out of the way. Where another process has replaced it in this moment, it is put back.
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
