import { existsSync } from 'node:fs';
import { layoutOf } from '../folder/manifest.mjs';
import { hashFile } from '../folder/write-hashed-file.mjs';
import { findExportFiles, findReferences } from '../objects/find-references.mjs';
import { forEachConcurrently, listObjects, objectPath } from '../objects/object-folder.mjs';

const CONCURRENT_READS = 4;

/**
 * Checks that each object has the content that its name says, and that the backup has each object that a row refers to.
 * @param {string} folder of the backup
 * @param {import('../folder/manifest.mjs').Manifest} manifest
 * @param {readonly import('../folder/manifest.mjs').SavedTable[]} tables the undamaged ones
 * @param {import('./problems.mjs').Problems} problems
 */
export async function verifyObjects(folder, manifest, tables, problems) {
  const layout = layoutOf(folder);
  for (const area of /** @type {const} */ (['objects', 'exports'])) {
    const found = await hashObjects(layout[area], problems);
    const { count, bytes } = manifest[area];
    if (found.count !== count || found.bytes !== bytes)
      problems.add(
        `${layout[area]} has ${found.count} objects (${found.bytes} bytes) instead of ${count} (${bytes} bytes).`,
      );
  }
  for await (const sha256 of findReferences(folder, tables))
    if (!existsSync(objectPath(layout.objects, sha256)))
      problems.add(`Object ${sha256}, to which rows refer, is missing.`);
  // A file that was deleted while the backup was made is listed; the restored export then says so.
  const deleted = new Set(manifest.exports.missing);
  for await (const sha256 of findExportFiles(folder, tables))
    if (!deleted.has(sha256) && !existsSync(objectPath(layout.exports, sha256)))
      problems.add(`File ${sha256} of an export is missing.`);
}

/**
 * @param {string} folder
 * @param {import('./problems.mjs').Problems} problems
 */
async function hashObjects(folder, problems) {
  const totals = { count: 0, bytes: 0 };
  await forEachConcurrently(listObjects(folder), CONCURRENT_READS, async ({ sha256, path }) => {
    const sum = await hashFile(path);
    totals.count++;
    totals.bytes += sum.bytes;
    if (sum.sha256 !== sha256) problems.add(`${path} is damaged: its content has another hash than its name.`);
  });
  return totals;
}
