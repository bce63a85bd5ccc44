import { existsSync, mkdirSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file of an object: `ab/cdef…`, as in a folder that is an object store.
 * @param {string} folder
 * @param {string} sha256
 */
export const objectPath = (folder, sha256) => join(folder, sha256.slice(0, 2), sha256.slice(2));

/** @param {string} folder @param {string} sha256 */
export function ensureObjectFolder(folder, sha256) {
  const path = join(folder, sha256.slice(0, 2));
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

/**
 * Lists the objects in a folder, one at a time. Files with other names are not objects.
 * @param {string} folder
 * @returns {AsyncGenerator<{ sha256: string, path: string }>}
 */
export async function* listObjects(folder) {
  for (let number = 0; number < 256; number++) {
    const digits = number.toString(16).padStart(2, '0');
    const path = join(folder, digits);
    if (!existsSync(path)) continue;
    for await (const { name } of await opendir(path))
      if (/^[0-9a-f]{62}$/.test(name)) yield { sha256: `${digits}${name}`, path: join(path, name) };
  }
}

/**
 * Processes items with a limited number of them at a time.
 * @template T
 * @param {AsyncIterable<T>} items
 * @param {number} limit
 * @param {(item: T) => Promise<void>} work
 */
export async function forEachConcurrently(items, limit, work) {
  const iterator = items[Symbol.asyncIterator]();
  let isFailed = false;
  const processItems = async () => {
    while (!isFailed) {
      const next = await iterator.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const workers = Array.from({ length: limit }, () =>
    processItems().catch((/** @type {unknown} */ error) => {
      isFailed = true;
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
