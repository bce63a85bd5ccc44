import { existsSync } from 'node:fs';
import { UserError } from '../../report.mjs';
import { readInstallationKeys, readKeys, selectKeys } from './keys.mjs';
import { layoutOf } from './manifest.mjs';

/**
 * Finds the keys of a backup: in a file of keys, in the backup itself, or in the installation.
 * @param {object} options
 * @param {string} options.folder of the backup
 * @param {import('./manifest.mjs').Manifest} options.manifest
 * @param {import('../installation.mjs').Installation} options.installation
 * @param {string | undefined} options.keysFile
 * @returns {import('./keys.mjs').Keys}
 * @throws {UserError} if there are none, or others. A system that starts without them would create new ones.
 */
export function chooseKeys({ folder, manifest, installation, keysFile }) {
  const file = keysFile ?? layoutOf(folder).keys;
  if (keysFile !== undefined || existsSync(file)) return selectKeys(readKeys(file), manifest.keys, file);
  const found = readInstallationKeys(installation);
  if (found) return selectKeys(found, manifest.keys, 'this installation');
  throw new UserError(
    `The backup has no keys, and neither has this installation. Pass --keys FILE, or set MILLRACE_SECRET and SECRETS_KEY_FILE.`,
  );
}
