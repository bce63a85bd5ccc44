import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { phase, UserError } from '../../report.mjs';
import { writeJson } from '../../write-json.mjs';
import { findBackup } from '../folder/backup-folder.mjs';
import { chooseKeys } from '../folder/choose-keys.mjs';
import { readManifest } from '../folder/manifest.mjs';
import { Problems } from './problems.mjs';
import { verifyObjects } from './verify-objects.mjs';
import { verifyTables } from './verify-tables.mjs';
import { verifyValues } from './verify-values.mjs';

/**
 * Checks a backup without restoring it: every checksum, every reference to an object, the numbers of rows and objects, and
 * whether the keys open the encrypted values. It needs no database.
 * @param {{ source: string, keysFile: string | undefined, installation: import('../installation.mjs').Installation, report: import('../../report.mjs').Report }} options
 * @returns {Promise<{ folder: string, problems: string[] }>}
 */
export async function verifyBackup({ source, keysFile, installation, report }) {
  const folder = findBackup(source);
  const manifest = readManifest(folder);
  const problems = new Problems();
  report(`Checking ${folder}, of ${manifest.snapshotAt} by Millrace ${manifest.version}`);
  const tables = await phase(report, `${manifest.tables.length} tables`, () =>
    verifyTables(folder, manifest.tables, problems),
  );
  await phase(report, `${manifest.objects.count} objects`, () => verifyObjects(folder, manifest, tables, problems));
  const keys = findKeys({ folder, manifest, installation, keysFile }, problems);
  if (keys)
    report(`  ${await withKeyFile(keys, (files) => verifyValues(folder, tables, files, problems))} encrypted values`);
  return { folder, problems: problems.format() };
}

/**
 * @param {Parameters<typeof chooseKeys>[0]} options
 * @param {Problems} problems
 */
function findKeys(options, problems) {
  try {
    return chooseKeys(options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    problems.add(`The encrypted values were not checked: ${error.message}`);
    return undefined;
  }
}

/**
 * The services read master keys from a file.
 * @template T
 * @param {import('../folder/keys.mjs').Keys} keys
 * @param {(keys: { secret: string, keyFile: string | undefined }) => Promise<T>} work
 */
async function withKeyFile({ secret, masterKeys }, work) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-keys-'));
  try {
    const keyFile = masterKeys.length > 0 ? join(folder, 'master-keys.json') : undefined;
    if (keyFile) writeJson(keyFile, { keys: masterKeys });
    return await work({ secret, keyFile });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
