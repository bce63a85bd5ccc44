import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { openStore } from '../../../libs/storage/dist/open-store.js';
import { storageArea, storageEnv } from '../../../libs/storage/dist/settings/storage-env.js';
import { dataLayout, resolveDataDir } from '../layout.mjs';
import { environmentOf } from '../process/environment-of.mjs';
import { UserError } from '../report.mjs';
import { postgresUrl } from '../servers/postgres-url.mjs';
import { findRunning } from '../system/find-running.mjs';
import { readJson } from '../write-json.mjs';

/**
 * Where an installation stores its data.
 * @typedef {object} Installation
 * @property {import('../layout.mjs').Layout} layout
 * @property {NodeJS.ProcessEnv} env the environment of the command, completed by that of the running system
 * @property {string | undefined} databaseUrl the owner's; undefined if the system's own Postgres has never run
 * @property {boolean} ownsDatabase whether Postgres is the one that `npm run up` starts
 * @property {string | undefined} secret
 * @property {string | undefined} keyFile master keys
 * @property {string} storageDir
 * @property {string | undefined} storageUrl
 */

/**
 * Finds the settings of the installation, as `npm run up` does. What the environment does not set comes from the running
 * system, which may have been started with other variables.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Installation}
 */
export function readInstallation(env) {
  const layout = dataLayout(resolveDataDir(env));
  const running = findRunning(layout);
  const all = { ...(running && environmentOf(running.pid)), ...withoutEmpty(env) };
  const secrets = readJson(layout.secrets);
  const port = readJson(layout.ports)?.postgres;
  return {
    layout,
    env: all,
    databaseUrl: all.DATABASE_URL ?? (secrets && port && postgresUrl(secrets.postgres, port)),
    ownsDatabase: !all.DATABASE_URL,
    secret: all.MILLRACE_SECRET ?? secrets?.millrace,
    keyFile: all.SECRETS_KEY_FILE ?? (existsSync(layout.masterKeys) ? layout.masterKeys : undefined),
    storageDir: all.STORAGE_DIR ?? layout.objects,
    storageUrl: all.STORAGE_URL,
  };
}

/**
 * Opens the object store of an installation, and the store of the files of exports.
 * @param {Installation} installation
 * @param {string} cache folder for downloads and uploads of a remote store
 */
export function openStores({ env, storageDir, storageUrl }, cache) {
  if (!storageUrl && !existsSync(storageDir))
    throw new UserError(
      `The object store ${storageDir} does not exist. Set STORAGE_DIR or STORAGE_URL as the services have it.`,
    );
  const parsed = storageEnv.safeParse({ ...env, STORAGE_DIR: storageDir });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new UserError(`The settings of the object store are wrong: ${problems.join('; ')}.`);
  }
  return {
    objects: openStore(parsed.data, join(cache, 'objects')),
    exports: openStore(storageArea(parsed.data, 'exports'), join(cache, 'exports')),
  };
}

/**
 * A path from the command line. npm starts scripts in the repository and passes the folder of the user.
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 */
export const resolvePath = (path, env) =>
  isAbsolute(path) ? resolve(path) : resolve(env.INIT_CWD ?? process.cwd(), path);

/** Compose passes an empty string if a variable of the host is not set. @param {NodeJS.ProcessEnv} env */
function withoutEmpty(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
