import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { postgresHome } from '../install/ensure-postgres.mjs';
import { clearStalePostmaster } from './clear-stale-postmaster.mjs';
import { createCluster } from './create-cluster.mjs';
import { postgresSettings } from './postgres-settings.mjs';
import { postgresUrl } from './postgres-url.mjs';
import { choosePostgresUser } from './postgres-user.mjs';

/**
 * A server that `npm run up` starts.
 * @typedef {object} OwnServer
 * @property {import('../process/supervised-process.mjs').ProcessSpec} spec
 * @property {(pid: number) => Promise<boolean> | boolean} isReady
 * @property {string} url
 */

/**
 * @typedef {{ root: string, layout: import('../layout.mjs').Layout, port: number, secrets: import('./load-secrets.mjs').Secrets, durable: boolean }} ServerOptions
 */

/**
 * @param {ServerOptions} options
 * @returns {Promise<OwnServer>}
 */
export async function postgresServer({ root, layout, port, secrets, durable }) {
  const home = postgresHome(root);
  const binary = join(home, 'bin', 'postgres');
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const user = await choosePostgresUser({ binary, folder: layout.dir });
  await createCluster({ folder: layout.postgres, home, user, password: secrets.postgres, env, durable });
  const settings = postgresSettings({ port, memoryBytes: totalmem(), durable });
  const spec = {
    name: 'postgres',
    ...user.wrap(binary, ['-D', layout.postgres, ...settings]),
    env,
    cwd: layout.dir,
    logFile: layout.log('postgres'),
    // "Fast shutdown": closes the connections and writes all data.
    stopSignal: /** @type {const} */ ('SIGINT'),
    stopTimeoutMs: 30_000,
    prepare: () => clearStalePostmaster(layout.postgres),
  };
  const url = postgresUrl(secrets.postgres, port);
  return { spec, url, isReady: (pid) => isReady(layout.postgres, pid) };
}

/**
 * Reads the eighth line of postmaster.pid, as pg_ctl does, because PostgreSQL accepts connections before its recovery ends.
 * @param {string} folder
 * @param {number} pid
 */
function isReady(folder, pid) {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
