import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeHashedFile } from '../folder/write-hashed-file.mjs';
import { ensureObjectFolder, forEachConcurrently, objectPath } from './object-folder.mjs';

const CONCURRENT_COPIES = 8;
const MAX_LISTED = 100;
/** The file system has no hard links, or no more for this file. */
const CANNOT_LINK = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'];

/**
 * Copies objects to a backup. An object that an earlier backup has becomes a hard link to the same file.
 * @param {object} options
 * @param {AsyncIterable<string>} options.hashes may repeat
 * @param {Pick<import('@millrace/storage/object-store').ObjectStore, 'read'>} options.store
 * @param {string} options.target folder
 * @param {readonly string[]} options.sources folders of objects of earlier backups
 * @returns {Promise<import('../folder/manifest.mjs').ObjectTotals & { copied: number }>} missing: those that the store does
 *   not have, or whose content does not match their hash
 */
export async function copyObjects({ hashes, store, target, sources }) {
  const totals = { count: 0, bytes: 0, copied: 0, missing: /** @type {string[]} */ ([]), missingCount: 0 };
  const known = new Set();
  await forEachConcurrently(hashes, CONCURRENT_COPIES, async (sha256) => {
    const path = objectPath(target, sha256);
    // Two rows with the same hash may be next to each other, and the first copy may take a while.
    if (known.has(sha256) || existsSync(path)) return;
    known.add(sha256);
    try {
      ensureObjectFolder(target, sha256);
      const isLinked = sources.some((source) => tryLink(objectPath(source, sha256), path));
      if (!isLinked && !(await copyObject(store, sha256, path))) {
        totals.missingCount++;
        if (totals.missing.length < MAX_LISTED) totals.missing.push(sha256);
        return;
      }
      totals.count++;
      totals.bytes += statSync(path).size;
      if (!isLinked) totals.copied++;
    } finally {
      known.delete(sha256);
    }
  });
  return totals;
}

/** @param {string} from @param {string} to */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
    if (code === 'ENOENT' || CANNOT_LINK.includes(code)) return false;
    throw error;
  }
}

/**
 * @param {Pick<import('@millrace/storage/object-store').ObjectStore, 'read'>} store
 * @param {string} sha256
 * @param {string} path
 * @returns {Promise<boolean>} false if the store does not have the object
 */
async function copyObject(store, sha256, path) {
  const draft = `${path}.part`;
  try {
    // Each object would wait for the disk on its own; the whole backup is synced at the end.
    const written = await writeHashedFile(draft, [store.read(sha256)], { flush: false });
    if (written.sha256 === sha256) {
      renameSync(draft, path);
      return true;
    }
  } catch (error) {
    if (/** @type {Error} */ (error).name !== 'ObjectMissingError') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return false;
}
