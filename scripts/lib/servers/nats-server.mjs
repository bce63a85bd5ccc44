import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findCommand } from '../machine/find-command.mjs';
import { UserError } from '../report.mjs';
import { PROBES } from './probe-server.mjs';

/**
 * @param {import('./postgres-server.mjs').ServerOptions} options
 * @returns {Promise<import('./postgres-server.mjs').OwnServer>}
 */
export async function natsServer({ root, layout, port, secrets }) {
  const command = findCommand('nats-server');
  if (!command) throw new UserError('nats-server is not installed.');
  const config = join(layout.nats, 'nats.conf');
  // The permissions of each service follow from the contracts, so the built package renders them.
  const module = pathToFileURL(join(root, 'libs', 'messaging', 'dist', 'nats-config.js'));
  const { renderNatsConfig } = await import(module.href);
  const storeDir = join(layout.nats, 'jetstream');
  const text = renderNatsConfig({ host: '127.0.0.1', port, storeDir, passwords: secrets.nats });
  writeFileSync(config, text, { mode: 0o600 });
  const spec = {
    name: 'nats',
    command,
    args: ['-c', config],
    env: { PATH: process.env.PATH },
    cwd: layout.nats,
    logFile: layout.log('nats'),
  };
  return { spec, url: `nats://127.0.0.1:${port}`, isReady: () => /** @type {any} */ (PROBES).nats({ host: '127.0.0.1', port }) };
}
