import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../write-json.mjs';

/**
 * What an installation was made from: the lock file, and the platform whose binaries it holds.
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
 * Whether node_modules contains the packages of package-lock.json. An installation by hand (`npm ci`, `npm install`) has
 * no stamp; then npm's own hidden lock file is compared.
 * @param {string} root
 */
export function isInstalled(root) {
  const file = stampFile(root);
  if (existsSync(file)) return readFileSync(file, 'utf8') === lockStamp(root);
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  const found = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  return Boolean(locked && found && holdsAll(locked, found));
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 * @param {Record<string, LockEntry>} locked
 * @param {Record<string, LockEntry>} found
 */
function holdsAll(locked, found) {
  return packagePaths(locked).every((path) => {
    const have = found[path];
    if (!have) return locked[path]?.optional === true;
    return have.version === locked[path]?.version && have.integrity === locked[path]?.integrity;
  });
}

/**
 * The folders that the lock file puts packages into on this platform; links to workspaces are no packages.
 * @param {Record<string, LockEntry>} packages
 */
export function packagePaths(packages) {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && suits(entry))
    .map(([path]) => path);
}

/** @param {LockEntry} entry */
function suits(entry) {
  const musl = entry.libc?.includes('musl') && !entry.libc.includes('glibc');
  return (
    (entry.os ?? [process.platform]).includes(process.platform) &&
    (entry.cpu ?? [process.arch]).includes(process.arch) &&
    !musl
  );
}
