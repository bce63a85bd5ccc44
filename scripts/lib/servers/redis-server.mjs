import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommand } from '../machine/find-command.mjs';
import { UserError } from '../report.mjs';
import { exchange } from './probe-server.mjs';

/**
 * @param {import('./postgres-server.mjs').ServerOptions} options
 * @returns {import('./postgres-server.mjs').OwnServer}
 */
export function redisServer({ layout, port, secrets }) {
  const command = findCommand('redis-server');
  if (!command) throw new UserError('redis-server is not installed. Install it, or set REDIS_URL.');
  const config = join(layout.redis, 'redis.conf');
  writeFileSync(config, redisConfig(layout.redis, port, secrets.redis), { mode: 0o600 });
  const spec = {
    name: 'redis',
    command,
    args: [config],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    cwd: layout.redis,
    logFile: layout.log('redis'),
  };
  return { spec, url: `redis://:${secrets.redis}@127.0.0.1:${port}/0`, isReady: () => isReady(port, secrets.redis) };
}

/**
 * Queues must not lose entries under memory pressure (noeviction), and at most the entries of one second in a crash (AOF).
 * @param {string} folder
 * @param {number} port
 * @param {string} password
 */
function redisConfig(folder, port, password) {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'daemonize no',
    // Its periodic tasks are few, and at the default of ten times a second they are almost half of its work in an idle system.
    'hz 2',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * @param {number} port
 * @param {string} password
 */
async function isReady(port, password) {
  const response = await exchange({ host: '127.0.0.1', port }, `AUTH ${password}\r\nPING\r\n`);
  return response?.includes('+PONG') ?? false;
}
