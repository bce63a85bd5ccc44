import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { SERVICES } from '../services.mjs';
import { readJson, writeJson } from '../write-json.mjs';

/**
 * @typedef {{ postgres: string, redis: string, millrace: string, nats: Record<string, string> }} Secrets
 */

/**
 * The secrets of a data directory, made at its first start and kept: the passwords of its servers, one NATS password for
 * each service, and the key that the services sign and encrypt with.
 * @param {string} file
 * @returns {Secrets}
 */
export function loadSecrets(file) {
  const known = readJson(file);
  // New secrets in place of unreadable ones would lock the databases and make what is encrypted unreadable.
  if (existsSync(file) && !known)
    throw new UserError(`${file} cannot be read, or is damaged: bring it back from a backup.`);
  const secrets = {
    postgres: known?.postgres ?? random(24),
    redis: known?.redis ?? random(24),
    millrace: known?.millrace ?? random(32),
    nats: Object.fromEntries(SERVICES.map((name) => [name, known?.nats?.[name] ?? random(24)])),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(known)) writeJson(file, secrets);
  return secrets;
}

/** @param {number} bytes */
function random(bytes) {
  return randomBytes(bytes).toString('base64url');
}
