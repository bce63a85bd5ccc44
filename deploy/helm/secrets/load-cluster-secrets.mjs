import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../scripts/lib/report.mjs';
import { ensureMasterKeys } from '../../../scripts/lib/servers/ensure-master-keys.mjs';
import { SERVICES } from '../../../scripts/lib/services.mjs';
import { readJson, writeJson } from '../../../scripts/lib/write-json.mjs';

/** Services with a role of their own in Postgres. */
export const DATABASE_SERVICES = SERVICES.filter((name) => !['gateway', 'worker'].includes(name));

/**
 * Passwords by service: `database` for Postgres, `nats` for NATS. `masterKeys` is the content of a file.
 * @typedef {{ postgres: string, redis: string, millrace: string, database: Record<string, string>, nats: Record<string, string>, masterKeys: string }} ClusterSecrets
 */

/**
 * Loads the secrets of an installation from a folder, and creates those that it does not have.
 * @param {string} folder
 * @returns {ClusterSecrets}
 */
export function loadClusterSecrets(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'secrets.json');
  const stored = readJson(file);
  // New secrets in place of unreadable ones would make the database and the encrypted data inaccessible.
  if (existsSync(file) && !stored)
    throw new UserError(`${file} cannot be read or is damaged. Restore it from a backup.`);
  const secrets = {
    postgres: stored?.postgres ?? random(24),
    redis: stored?.redis ?? random(24),
    millrace: stored?.millrace ?? random(32),
    database: passwords(DATABASE_SERVICES, stored?.database),
    nats: passwords(SERVICES, stored?.nats),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(stored)) writeJson(file, secrets);
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
  writeJson(file, { keys: [{ id, key: random(32) }, ...keys] });
}

/**
 * @param {readonly string[]} services
 * @param {Record<string, string> | undefined} stored
 * @returns {Record<string, string>}
 */
const passwords = (services, stored) =>
  Object.fromEntries(services.map((name) => [name, stored?.[name] ?? random(24)]));

/** @param {number} bytes */
const random = (bytes) => randomBytes(bytes).toString('base64url');
