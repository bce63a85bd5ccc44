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
  const pathOf = (/** @type {string[]} */ ...parts) => join(dir, ...parts);
  return {
    dir,
    postgres: pathOf('postgres'),
    redis: pathOf('redis'),
    nats: pathOf('nats'),
    objects: pathOf('objects'),
    work: pathOf('work'),
    mail: pathOf('mail'),
    logs: pathOf('logs'),
    run: pathOf('run'),
    secrets: pathOf('secrets.json'),
    masterKeys: pathOf('master-keys.json'),
    ports: pathOf('ports.json'),
    state: pathOf('state.json'),
    lock: pathOf('supervisor.json'),
    log: (/** @type {string} */ name) => pathOf('logs', `${name}.log`),
    devLock: (/** @type {string} */ name) => pathOf('run', `${name}.dev.json`),
    pid: (/** @type {string} */ name) => pathOf('run', `${name}.pid`),
  };
}

/**
 * The data directory of the environment. A relative path starts at the repository's root, where npm runs scripts.
 * @param {NodeJS.ProcessEnv} env
 */
export function resolveDataDir(env) {
  return resolve(ROOT, env.MILLRACE_DATA_DIR || '.millrace');
}
