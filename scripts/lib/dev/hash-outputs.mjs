import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listWorkspaces } from '../build/list-workspaces.mjs';

/**
 * Hashes the content of each package's build, so that a build with the same output restarts nothing.
 * @param {string} root
 * @returns {Map<string, string>} package name to hash
 */
export function hashOutputs(root) {
  return new Map(listWorkspaces(root).map(({ name, folder }) => [name, hashFolder(join(root, folder, 'dist'))]));
}

/** @param {string} folder */
function hashFolder(folder) {
  const hash = createHash('sha1');
  for (const file of listFiles(folder))
    if (!file.endsWith('.map')) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** @param {string} folder */
function listFiles(folder) {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
  } catch {
    return [];
  }
}

/**
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {string[]} names of the packages whose build has changed
 */
export function changedOutputs(before, after) {
  return [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
}
