import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { SERVICES } from '../services.mjs';
import { readJson, writeJson } from '../write-json.mjs';

/**
 * @typedef {{ postgres: string, redis: string, millrace: string, nats: Record<string, string> }} Secrets
 */

/**
 * Loads the secrets of a data directory, and creates them at its first start: the passwords of its servers, a NATS password
 * for each service, and the key with which the services sign and encrypt.
 * @param {string} file
 * @returns {Secrets}
 */
export function loadSecrets(file) {
  const stored = readJson(file);
  // New secrets in place of unreadable ones would make the databases and the encrypted data inaccessible.
  if (existsSync(file) && !stored)
    throw new UserError(`${file} cannot be read or is damaged. Restore it from a backup.`);
  const secrets = {
    postgres: stored?.postgres ?? random(24),
    redis: stored?.redis ?? random(24),
    millrace: stored?.millrace ?? random(32),
    nats: Object.fromEntries(SERVICES.map((name) => [name, stored?.nats?.[name] ?? random(24)])),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(stored)) writeJson(file, secrets);
  return secrets;
}

/** @param {number} bytes */
function random(bytes) {
  return randomBytes(bytes).toString('base64url');
}
