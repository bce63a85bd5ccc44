import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { UserError } from '../../scripts/lib/report.mjs';
import { lastLines, runCommand } from '../../scripts/lib/run-command.mjs';
import { findFreePort } from '../../scripts/lib/servers/allot-ports.mjs';
import { postgresUrl } from '../../scripts/lib/servers/postgres-url.mjs';
import { readJson } from '../../scripts/lib/write-json.mjs';
import { stopOnSignal } from './stop-on-signal.mjs';

/**
 * @typedef {object} BenchSystem
 * @property {string} url
 * @property {string} folder its data directory
 * @property {string} database connection string
 * @property {string} redis connection string
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a separate system as `npm run up -- --detach` does. Its data is deleted when it stops.
 * @param {NodeJS.ProcessEnv} settings
 * @param {{ dataFolder?: string, single?: boolean }} [options] `dataFolder`: a data directory that may have data, and is kept;
 *   `single`: all services in one process
 * @returns {Promise<BenchSystem>}
 */
export async function startSystem(settings, { dataFolder, single = false } = {}) {
  const folder = dataFolder ?? createDataFolder();
  const port = await findFreePort();
  const { PATH, HOME } = process.env;
  const defaults = { LOG_LEVEL: 'warn', PORT: String(port), MILLRACE_DATA_DIR: folder, RATE_LIMIT_PER_MINUTE: '0' };
  const env = { PATH, HOME, CI: 'true', ...defaults, ...settings };
  const script = (/** @type {string[]} */ ...args) => runCommand(process.execPath, args, { cwd: ROOT, env });
  const stop = async () => {
    await script('scripts/down.mjs');
    if (!dataFolder) rmSync(folder, { recursive: true, force: true });
  };
  stopOnSignal(stop);
  const { code, output } = await script('scripts/up.mjs', '--detach', ...(single ? ['--single'] : []));
  if (code !== 0) {
    await stop();
    throw new UserError(`Millrace did not start:\n${lastLines(output, 20)}`);
  }
  const secrets = readJson(join(folder, 'secrets.json'));
  const ports = readJson(join(folder, 'ports.json'));
  const database = postgresUrl(secrets.postgres, ports.postgres);
  const redis = `redis://:${secrets.redis}@127.0.0.1:${ports.redis}/0`;
  return { url: `http://127.0.0.1:${env.PORT}`, database, redis, folder, stop };
}

function createDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  // If root runs this, PostgreSQL runs as another user, who needs to traverse the folder.
  chmodSync(folder, 0o711);
  return folder;
}
