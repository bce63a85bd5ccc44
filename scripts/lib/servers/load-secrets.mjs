import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { DATABASE_SERVICES, SERVICES } from '../services.mjs';
import { readJson, writeJson } from '../write-json.mjs';

/**
 * Passwords by service: `database` for Postgres, `nats` for NATS.
 * @typedef {{ postgres: string, redis: string, millrace: string, database: Record<string, string>, nats: Record<string, string> }} Secrets
 */

/**
 * Loads the secrets of a data directory, and creates them at its first start: the passwords of its servers, a NATS password
 * and a Postgres password for each service, and the key with which the services sign and encrypt.
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
    database: passwords(DATABASE_SERVICES, stored?.database),
    nats: passwords(SERVICES, stored?.nats),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(stored)) writeJson(file, secrets);
  return secrets;
}

/**
 * @param {readonly string[]} services
 * @param {Record<string, string> | undefined} stored
 * @returns {Record<string, string>}
 */
function passwords(services, stored) {
  return Object.fromEntries(services.map((name) => [name, stored?.[name] ?? random(24)]));
}

/** @param {number} bytes */
function random(bytes) {
  return randomBytes(bytes).toString('base64url');
}
