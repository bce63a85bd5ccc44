import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../report.mjs';
import { writeJson } from '../../write-json.mjs';

/** Changes if an older program could not restore a backup. */
const FORMAT = 1;

/**
 * A table in a backup. `create`, `complete` and `owner` exist for tables that no migration creates.
 * @typedef {object} SavedTable
 * @property {string} schema
 * @property {string} name
 * @property {string[]} columns
 * @property {number} rows
 * @property {number} bytes of the file
 * @property {string} sha256 of the file
 * @property {import('../database/describe-table.mjs').TableDescription} [description]
 */

/**
 * @typedef {{ count: number, bytes: number, missing: string[], missingCount: number }} ObjectTotals missing: up to 100 objects
 *   that rows refer to, and that the store did not have
 */

/**
 * What a backup contains. It is written last.
 * @typedef {object} Manifest
 * @property {number} format
 * @property {string} version of Millrace that made the backup
 * @property {string} postgres version of the server
 * @property {string[]} migrations of the database, in order
 * @property {string} snapshotAt
 * @property {string} finishedAt
 * @property {SavedTable[]} tables
 * @property {import('../database/read-sequences.mjs').SequenceState[]} sequences
 * @property {ObjectTotals} objects
 * @property {ObjectTotals} exports
 * @property {{ included: boolean, masterKeys: string[], check: string }} keys masterKeys: ids, newest first; check: see keys.mjs
 */

/** @param {string} folder of a backup */
export const layoutOf = (folder) => ({
  folder,
  manifest: join(folder, 'manifest.json'),
  keys: join(folder, 'keys.json'),
  tables: join(folder, 'tables'),
  objects: join(folder, 'objects'),
  exports: join(folder, 'exports'),
  table: (/** @type {{ schema: string, name: string }} */ { schema, name }) =>
    join(folder, 'tables', `${schema}.${name}.copy.zst`),
});

/** @param {Omit<Manifest, 'format'>} manifest @param {string} folder */
export function writeManifest(manifest, folder) {
  writeJson(layoutOf(folder).manifest, { format: FORMAT, ...manifest });
}

/**
 * @param {string} folder
 * @returns {Manifest}
 * @throws {UserError} if it is damaged, or from a newer version
 */
export function readManifest(folder) {
  const path = layoutOf(folder).manifest;
  const manifest = parse(path);
  if (!Number.isInteger(manifest?.format)) throw new UserError(`${path} is damaged. Use another backup.`);
  if (manifest.format > FORMAT)
    throw new UserError(
      `The backup was made by Millrace ${manifest.version}, which is newer. Restore it with that version.`,
    );
  return manifest;
}

/** @param {string} path */
function parse(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
export const isBackup = (folder) => existsSync(layoutOf(folder).manifest);
