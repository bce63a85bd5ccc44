import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../layout.mjs';
import { phase, UserError } from '../../report.mjs';
import { runCommand } from '../../run-command.mjs';
import { writeJson } from '../../write-json.mjs';
import { connectDatabase } from '../database/connect-database.mjs';
import { pauseCollection } from '../database/pause-collection.mjs';
import { takeSnapshot } from '../database/take-snapshot.mjs';
import { beginBackup, isInside } from '../folder/backup-folder.mjs';
import { addKeys, describeKeys, readInstallationKeys } from '../folder/keys.mjs';
import { layoutOf, writeManifest } from '../folder/manifest.mjs';
import { openStores } from '../installation.mjs';
import { copyObjects } from '../objects/copy-objects.mjs';
import { findExportFiles, findReferences } from '../objects/find-references.mjs';
import { copyTables } from './copy-tables.mjs';

/**
 * @typedef {object} BackupOptions
 * @property {import('../installation.mjs').Installation} installation
 * @property {string} folder of all backups
 * @property {'included' | 'absent' | { file: string }} keys where to write the keys
 * @property {import('../../report.mjs').Report} report
 */

/**
 * Makes a backup while the system runs: the tables of one moment, then every object that their rows refer to. Nothing is
 * deleted from the object store meanwhile (`pauseCollection`).
 * @param {BackupOptions} options
 * @returns {Promise<{ folder: string, objects: import('../folder/manifest.mjs').ObjectTotals }>}
 */
export async function createBackup(options) {
  const { installation, folder, keys } = options;
  checkPlace(options);
  if (!installation.databaseUrl)
    throw new UserError(
      `${installation.layout.dir} has no system, and DATABASE_URL is not set. Start Millrace, or set MILLRACE_DATA_DIR.`,
    );
  const cache = mkdtempSync(join(tmpdir(), 'millrace-backup-'));
  const client = await connectDatabase(installation.databaseUrl);
  try {
    const stores = openStores(installation, cache);
    const pause = await pauseCollection(client);
    const backup = beginBackup(folder);
    try {
      const { totals, found } = await saveAll({ ...options, backup, stores });
      await pause.check();
      await pause.end();
      if (typeof keys === 'object') addKeys(keys.file, found);
      if (keys === 'included') writeJson(layoutOf(backup.folder).keys, found);
      // One flush of the file system for all objects takes less than one for each file.
      await runCommand('sync', ['-f', backup.folder]);
      return { folder: backup.finish(), objects: totals };
    } catch (error) {
      // What a failed backup has copied speeds up the next one, but must not keep a disk full.
      if (['ENOSPC', 'EDQUOT'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? ''))
        rmSync(backup.folder, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await client.end().catch(() => undefined);
    rmSync(cache, { recursive: true, force: true });
  }
}

/**
 * @param {BackupOptions & { backup: ReturnType<typeof beginBackup>, stores: ReturnType<typeof openStores> }} options
 */
async function saveAll({ installation, keys, report, backup, stores }) {
  const layout = layoutOf(backup.folder);
  const readKeys = () => {
    const found = readInstallationKeys(installation);
    if (!found)
      throw new UserError('The secret of the installation is unknown. Set MILLRACE_SECRET as the services have it.');
    return found;
  };
  const snapshot = await takeSnapshot(installation.databaseUrl ?? '', readKeys);
  let tables;
  try {
    tables = await phase(report, 'tables', () => copyTables(snapshot.parts, backup.folder));
  } finally {
    await snapshot.end();
  }
  const copy = (/** @type {'objects' | 'exports'} */ area, /** @type {AsyncIterable<string>} */ hashes) => {
    const sources = backup.sources.map((source) => layoutOf(source)[area]);
    return copyObjects({ hashes, store: stores[area], target: layout[area], sources });
  };
  const objects = await phase(report, 'objects', () => copy('objects', findReferences(backup.folder, tables)));
  const exports = await phase(report, 'files of exports', () =>
    copy('exports', findExportFiles(backup.folder, tables)),
  );
  report(
    `  ${objects.count} objects, ${objects.copied} of them new; ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`,
  );
  const { copied: _objects, ...objectTotals } = objects;
  const { copied: _exports, ...exportTotals } = exports;
  writeManifest(
    {
      version: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
      postgres: snapshot.postgres,
      migrations: snapshot.migrations,
      snapshotAt: snapshot.at.toISOString(),
      finishedAt: new Date().toISOString(),
      tables,
      sequences: snapshot.sequences,
      objects: objectTotals,
      exports: exportTotals,
      keys: describeKeys(snapshot.keys, keys === 'included'),
    },
    backup.folder,
  );
  return { totals: objectTotals, found: snapshot.keys };
}

/** @param {BackupOptions} options */
function checkPlace({ installation, folder, keys }) {
  const { layout, storageDir } = installation;
  for (const place of [layout.dir, storageDir])
    if (isInside(folder, place))
      throw new UserError(`${folder} is in ${place}, and would be lost together with it. Choose a folder elsewhere.`);
  if (typeof keys === 'object' && isInside(dirname(keys.file), folder))
    throw new UserError(
      `${keys.file} is in the folder of the backups. Choose a place apart from it, or leave out --keys.`,
    );
}
