import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A hash of the path, size and modification time of every file below some paths. Takes milliseconds for a thousand files.
 * @param {string[]} paths files or folders; one that is missing counts as empty
 * @param {(name: string, path: string) => boolean} [skip] files and folders to leave out, by name or path
 */
export function fingerprintTree(paths, skip = () => false) {
  const hash = createHash('sha1');
  for (const path of paths) addEntry(hash, path, skip);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 * @param {(name: string, path: string) => boolean} skip
 */
function addEntry(hash, path, skip) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) {
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readNames(path)) if (!skip(name, join(path, name))) addEntry(hash, join(path, name), skip);
}

/** @param {string} folder */
function readNames(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
