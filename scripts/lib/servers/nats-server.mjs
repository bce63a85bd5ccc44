import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../machine/find-command.mjs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { PROBES } from './probe-server.mjs';

const RENDER_SCRIPT = fileURLToPath(new URL('render-nats-config.mjs', import.meta.url));

/**
 * @param {import('./postgres-server.mjs').ServerOptions} options
 * @returns {import('./postgres-server.mjs').OwnServer}
 */
export function natsServer({ root, layout, port, secrets }) {
  const command = findCommand('nats-server');
  if (!command) throw new UserError('nats-server is not installed. Install it, or set NATS_URL.');
  const file = join(layout.nats, 'nats.conf');
  const options = { host: '127.0.0.1', port, storeDir: join(layout.nats, 'jetstream'), passwords: secrets.nats };
  const spec = {
    name: 'nats',
    command,
    args: ['-js', '-c', file],
    env: { PATH: process.env.PATH },
    cwd: layout.nats,
    logFile: layout.log('nats'),
    prepare: () => renderConfig({ root, file, options }),
  };
  return { spec, url: `nats://127.0.0.1:${port}`, isReady: () => isReady(port) };
}

/** @param {object} request */
async function renderConfig(request) {
  const { code, output } = await runCommand(process.execPath, [RENDER_SCRIPT], { input: JSON.stringify(request) });
  if (code !== 0) throw new Error(`rendering its configuration failed:\n${lastLines(output, 10)}`);
}

/** @param {number} port */
function isReady(port) {
  return /** @type {(endpoint: object) => Promise<boolean>} */ (PROBES.nats)({ host: '127.0.0.1', port });
}
