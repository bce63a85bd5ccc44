import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';

/**
 * Identifies an installation: the hash of its lock file, and the platform of its binaries.
 * @param {string} root
 */
export function lockStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

/** @param {string} root */
export function stampFile(root) {
  return join(root, 'node_modules', '.millrace-install');
}

/**
 * Whether node_modules contains the packages of package-lock.json. A manual installation (`npm ci`, `npm install`) has no
 * stamp, so npm's own hidden lock file is compared instead.
 * @param {string} root
 */
export function isInstalled(root) {
  const file = stampFile(root);
  if (existsSync(file)) return readFileSync(file, 'utf8') === lockStamp(root);
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  return Boolean(locked && found && containsAll(locked, found));
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 * @param {Record<string, LockEntry>} locked
 * @param {Record<string, LockEntry>} found
 */
function containsAll(locked, found) {
  return packagePaths(locked).every((path) => {
    const installed = found[path];
    if (!installed) return locked[path]?.optional === true;
    return installed.version === locked[path]?.version && installed.integrity === locked[path]?.integrity;
  });
}

/**
 * The folders of the packages that the lock file lists for this platform. Links to workspaces are not packages.
 * @param {Record<string, LockEntry>} packages
 */
export function packagePaths(packages) {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && isForThisPlatform(entry))
    .map(([path]) => path);
}

/** @param {LockEntry} entry */
function isForThisPlatform(entry) {
  const musl = entry.libc?.includes('musl') && !entry.libc.includes('glibc');
  return (
    (entry.os ?? [process.platform]).includes(process.platform) &&
    (entry.cpu ?? [process.arch]).includes(process.arch) &&
    !musl
  );
}
