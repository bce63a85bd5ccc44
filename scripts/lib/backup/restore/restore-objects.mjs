import { createReadStream, statSync } from 'node:fs';
import { UserError } from '../../report.mjs';
import { layoutOf } from '../folder/manifest.mjs';
import { forEachConcurrently, listObjects } from '../objects/object-folder.mjs';

const CONCURRENT_PUTS = 8;

/**
 * Adds the objects of a backup to the object stores. Objects that a store has already stay.
 * @param {string} folder of the backup
 * @param {ReturnType<typeof import('../installation.mjs').openStores>} stores
 * @returns {Promise<number>} how many were added
 */
export async function restoreObjects(folder, stores) {
  const layout = layoutOf(folder);
  return (await addObjects(layout.objects, stores.objects)) + (await addObjects(layout.exports, stores.exports));
}

/**
 * @param {string} folder
 * @param {import('@millrace/storage/object-store').ObjectStore} store
 */
async function addObjects(folder, store) {
  let added = 0;
  await forEachConcurrently(listObjects(folder), CONCURRENT_PUTS, async ({ sha256, path }) => {
    if ((await store.size(sha256)) === statSync(path).size) return;
    const announce = async (/** @type {{ sha256: string }} */ object) => {
      if (object.sha256 !== sha256) throw new UserError(`${path} is damaged. Use another backup.`);
    };
    await store.put(createReadStream(path), { announce });
    added++;
  });
  return added;
}
