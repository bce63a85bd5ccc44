import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * The paths of all files and folders of a system, below one data directory.
 * @typedef {ReturnType<typeof dataLayout>} Layout
 */

/** @param {string} dir absolute path of the data directory */
export function dataLayout(dir) {
  const at = (/** @type {string[]} */ ...parts) => join(dir, ...parts);
  return {
    dir,
    postgres: at('postgres'),
    redis: at('redis'),
    nats: at('nats'),
    objects: at('objects'),
    work: at('work'),
    mail: at('mail'),
    logs: at('logs'),
    run: at('run'),
    secrets: at('secrets.json'),
    masterKeys: at('master-keys.json'),
    ports: at('ports.json'),
    state: at('state.json'),
    lock: at('supervisor.json'),
    log: (/** @type {string} */ name) => at('logs', `${name}.log`),
    devLock: (/** @type {string} */ name) => at('run', `${name}.dev.json`),
    pid: (/** @type {string} */ name) => at('run', `${name}.pid`),
  };
}

/**
 * The data directory of the environment. A relative path starts at the repository's root, where npm runs scripts.
 * @param {NodeJS.ProcessEnv} env
 */
export function resolveDataDir(env) {
  return resolve(ROOT, env.MILLRACE_DATA_DIR || '.millrace');
}
