import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureMasterKeys } from '../../../scripts/lib/servers/ensure-master-keys.mjs';
import { loadSecrets } from '../../../scripts/lib/servers/load-secrets.mjs';
import { writeJson } from '../../../scripts/lib/write-json.mjs';

/**
 * `masterKeys` is the content of a file.
 * @typedef {import('../../../scripts/lib/servers/load-secrets.mjs').Secrets & { masterKeys: string }} ClusterSecrets
 */

/**
 * Loads the secrets of an installation from a folder, and creates those that it does not have.
 * @param {string} folder
 * @returns {ClusterSecrets}
 */
export function loadClusterSecrets(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(join(folder, 'secrets.json'));
  const keyFile = join(folder, 'master-keys.json');
  ensureMasterKeys(keyFile);
  return { ...secrets, masterKeys: readFileSync(keyFile, 'utf8') };
}

/**
 * Begins a rotation of the master keys: puts a new one before the others, unless a rotation has begun. `npm run secrets:rotate`
 * uses it when all pods have it, and then removes the others.
 * @param {string} folder
 */
export function addMasterKey(folder) {
  const file = join(folder, 'master-keys.json');
  const { keys } = JSON.parse(readFileSync(file, 'utf8'));
  if (keys.length > 1) return;
  const id = `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;
  writeJson(file, { keys: [{ id, key: randomBytes(32).toString('base64url') }, ...keys] });
}
