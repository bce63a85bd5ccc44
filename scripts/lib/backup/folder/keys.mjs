import { chmodSync, existsSync } from 'node:fs';
import { SecretCipher } from '../../../../libs/messaging/dist/crypto/secret-cipher.js';
import { UserError } from '../../report.mjs';
import { readJson, writeJson } from '../../write-json.mjs';
import { readManifest } from './manifest.mjs';

/**
 * The keys without which encrypted values cannot be read.
 * @typedef {object} Keys
 * @property {string} secret MILLRACE_SECRET
 * @property {{ id: string, key: string }[]} masterKeys newest first; empty if the master key is derived from the secret
 */

/** Purpose and plain text of the value by which a backup recognises its secret. */
const CHECK = 'backup';

/**
 * @param {Pick<import('../installation.mjs').Installation, 'secret' | 'keyFile'>} installation
 * @returns {Keys | undefined} undefined if there is no secret
 */
export function readInstallationKeys({ secret, keyFile }) {
  if (!secret) return undefined;
  return { secret, masterKeys: keyFile === undefined ? [] : readMasterKeys(keyFile) };
}

/** @param {string} file @returns {Keys['masterKeys']} */
function readMasterKeys(file) {
  const keys = readJson(file)?.keys;
  if (!Array.isArray(keys))
    throw new UserError(`${file} cannot be read or is damaged. It must contain the master keys.`);
  return keys;
}

/**
 * Reads the keys of a backup from a file.
 * @param {string} file
 * @returns {Keys}
 */
export function readKeys(file) {
  const keys = readJson(file);
  if (typeof keys?.secret === 'string' && Array.isArray(keys.masterKeys)) return keys;
  throw new UserError(`${file} does not exist or is not a file of keys that npm run backup has written.`);
}

/**
 * Writes the keys to a file outside the backup. The file keeps the older master keys that it has, because older backups
 * need them.
 * @param {string} file
 * @param {Keys} keys
 * @throws {UserError} if it has the keys of another installation
 */
export function addKeys(file, keys) {
  const former = existsSync(file) ? readKeys(file) : keys;
  if (former.secret !== keys.secret)
    throw new UserError(`${file} contains the keys of another installation. Choose another file.`);
  const ids = new Set(keys.masterKeys.map(({ id }) => id));
  writeJson(file, { ...keys, masterKeys: [...keys.masterKeys, ...former.masterKeys.filter(({ id }) => !ids.has(id))] });
  chmodSync(file, 0o600);
}

/**
 * Describes keys in a manifest without containing them.
 * @param {Keys} keys
 * @param {boolean} included
 * @returns {import('./manifest.mjs').Manifest['keys']}
 */
export const describeKeys = ({ secret, masterKeys }, included) => ({
  included,
  masterKeys: masterKeys.map(({ id }) => id),
  check: Buffer.from(new SecretCipher(secret, CHECK).encrypt(CHECK)).toString('base64'),
});

/**
 * The keys of a backup alone. A file of keys may have others too.
 * @param {Keys} keys
 * @param {import('./manifest.mjs').Manifest['keys']} expected
 * @param {string} source named in the error
 * @returns {Keys}
 * @throws {UserError} if they are not the keys of the backup
 */
export function selectKeys(keys, expected, source) {
  if (!isSecretOf(keys.secret, expected))
    throw new UserError(`The backup was made with another MILLRACE_SECRET than the one of ${source}.`);
  const masterKeys = expected.masterKeys.map((id) => {
    const found = keys.masterKeys.find((key) => key.id === id);
    if (!found) throw new UserError(`The backup needs the master key ${id}, which ${source} does not have.`);
    return found;
  });
  return { secret: keys.secret, masterKeys };
}

/**
 * Whether a backup is of the installation with this MILLRACE_SECRET. One whose manifest cannot be read is of none.
 * @param {string} backup
 * @param {string} secret
 */
export function isBackupOf(backup, secret) {
  try {
    return isSecretOf(secret, readManifest(backup).keys);
  } catch {
    return false;
  }
}

/** @param {string} secret @param {import('./manifest.mjs').Manifest['keys']} expected */
function isSecretOf(secret, { check }) {
  try {
    return new SecretCipher(secret, CHECK).decrypt(Buffer.from(check, 'base64')) === CHECK;
  } catch {
    return false;
  }
}
