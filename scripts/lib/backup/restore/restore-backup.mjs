import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { phase, UserError } from '../../report.mjs';
import { runCommand } from '../../run-command.mjs';
import { findBackup } from '../folder/backup-folder.mjs';
import { chooseKeys } from '../folder/choose-keys.mjs';
import { readManifest } from '../folder/manifest.mjs';
import { openStores } from '../installation.mjs';
import { openExternalTarget } from './external-target.mjs';
import { openOwnTarget } from './own-target.mjs';
import { requireKnownMigrations } from './restore-database.mjs';
import { restoreObjects } from './restore-objects.mjs';

/**
 * @typedef {object} RestoreOptions
 * @property {import('../installation.mjs').Installation} installation
 * @property {string} source a backup, or a folder with backups
 * @property {string | undefined} keysFile
 * @property {boolean} force replace the data of the target
 * @property {import('../../report.mjs').Report} report
 *
 * @typedef {RestoreOptions & { folder: string, manifest: import('../folder/manifest.mjs').Manifest, keys: import('../folder/keys.mjs').Keys }} RestoreContext
 */

/**
 * Restores a backup into an installation that does not run.
 * @param {RestoreOptions} options
 * @returns {Promise<{ folder: string, manifest: import('../folder/manifest.mjs').Manifest, notes: string[] }>} notes: lines for the user
 */
export async function restoreBackup(options) {
  const { installation, report } = options;
  const { layout } = installation;
  const folder = findBackup(options.source);
  const manifest = readManifest(folder);
  await requireKnownMigrations(manifest);
  const keys = chooseKeys({ folder, manifest, installation, keysFile: options.keysFile });
  const { MILLRACE_SECRET } = installation.env;
  if (MILLRACE_SECRET && MILLRACE_SECRET !== keys.secret)
    throw new UserError(
      'MILLRACE_SECRET is not the one of the backup. Set it to the field "secret" of the file of keys.',
    );
  const context = { ...options, folder, manifest, keys };
  report(`Restoring the backup of ${manifest.snapshotAt} by Millrace ${manifest.version}`);
  const target = installation.ownsDatabase ? openOwnTarget(context) : await openExternalTarget(context);
  const cache = mkdtempSync(join(tmpdir(), 'millrace-restore-'));
  try {
    if (!installation.storageUrl && !existsSync(installation.storageDir))
      mkdirSync(installation.storageDir, { recursive: true, mode: 0o700 });
    const stores = openStores(installation, cache);
    await target.fill();
    await phase(report, 'objects', () => restoreObjects(folder, stores));
    await runCommand('sync', ['-f', layout.dir]);
    return { folder, manifest, notes: target.complete() };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
