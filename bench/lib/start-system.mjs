import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { UserError } from '../../scripts/lib/report.mjs';
import { lastLines, runCommand } from '../../scripts/lib/run-command.mjs';
import { postgresUrl } from '../../scripts/lib/servers/postgres-url.mjs';
import { readJson } from '../../scripts/lib/write-json.mjs';
import { freePort } from './free-port.mjs';

/**
 * @typedef {object} BenchSystem
 * @property {string} url
 * @property {string} folder its data
 * @property {string} database connection string
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a system of the benchmark's own, as `npm run up --detach` does, with data that goes away with it.
 * @param {NodeJS.ProcessEnv} settings
 * @returns {Promise<BenchSystem>}
 */
export async function startSystem(settings) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL's own user passes through it where root runs this.
  chmodSync(folder, 0o711);
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const own = { LOG_LEVEL: 'warn', PORT: String(port), MILLRACE_DATA_DIR: folder, RATE_LIMIT_PER_MINUTE: '0' };
  const env = { PATH, HOME, CI: 'true', ...own, ...settings };
  const script = (/** @type {string[]} */ ...args) => runCommand(process.execPath, args, { cwd: ROOT, env });
  const stop = async () => {
    await script('scripts/down.mjs');
    rmSync(folder, { recursive: true, force: true });
  };
  const { code, output } = await script('scripts/up.mjs', '--detach');
  if (code !== 0) {
    await stop();
    throw new UserError(`Millrace did not start:\n${lastLines(output, 20)}`);
  }
  const secrets = readJson(join(folder, 'secrets.json'));
  const ports = readJson(join(folder, 'ports.json'));
  const database = postgresUrl(secrets.postgres, ports.postgres);
  return { url: `http://127.0.0.1:${port}`, database, folder, stop };
}
