import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderNatsConfig } from '../libs/messaging/dist/broker/nats-config.js';
import { ensureMasterKeys } from '../scripts/lib/servers/ensure-master-keys.mjs';
import { loadSecrets } from '../scripts/lib/servers/load-secrets.mjs';
import { SERVICES } from '../scripts/lib/services.mjs';

/**
 * Makes the secrets of a composition at its first start, and at each start writes what every container needs into a
 * volume of its own, so that none sees another's. It runs again after an upgrade: the permissions of the services on NATS
 * follow from the new image.
 */
const ROOT = '/secrets';
const secrets = loadSecrets(join(ROOT, 'init', 'secrets.json'));

/**
 * @param {string} owner whose volume
 * @param {string} name
 * @param {string} text
 * @param {number} mode 0644 for the servers' images, which run as users of their own
 */
function write(owner, name, text, mode) {
  const file = join(ROOT, owner, name);
  writeFileSync(file, text, { mode });
  // A file that is there keeps its mode.
  chmodSync(file, mode);
}

const redis = [
  'bind * -::*',
  `requirepass ${secrets.redis}`,
  'dir /data',
  'appendonly yes',
  'appendfsync everysec',
  'save ""',
];
// In the volume of the one service that needs the keys; the container that rotates them mounts it too.
ensureMasterKeys(join(ROOT, 'workflows', 'master-keys.json'));

write('postgres', 'password', secrets.postgres, 0o644);
write('redis', 'redis.conf', `${[...redis, 'maxmemory-policy noeviction'].join('\n')}\n`, 0o644);
write(
  'nats',
  'nats.conf',
  renderNatsConfig({ host: '0.0.0.0', port: 4222, storeDir: '/data', passwords: secrets.nats }),
  0o644,
);
for (const service of SERVICES) {
  // As under `npm run up`: neither the one that faces the internet nor the one that runs other people's code has more
  // than it needs.
  const env = {
    ...(!['gateway', 'worker'].includes(service) && {
      DATABASE_URL: `postgresql://millrace:${secrets.postgres}@postgres:5432/millrace`,
    }),
    REDIS_URL: `redis://:${secrets.redis}@redis:6379/0`,
    NATS_URL: 'nats://nats:4222',
    NATS_PASSWORD: secrets.nats[service],
    ...(service !== 'worker' && { MILLRACE_SECRET: secrets.millrace }),
    ...(service === 'workflows' && { SECRETS_KEY_FILE: '/secrets/master-keys.json' }),
  };
  write(service, 'env.json', JSON.stringify(env), 0o600);
}
