import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderNatsConfig } from '../libs/messaging/dist/broker/nats-config.js';
import { databaseLogins, loginVariable } from '../scripts/lib/servers/database-logins.mjs';
import { ensureMasterKeys } from '../scripts/lib/servers/ensure-master-keys.mjs';
import { loadSecrets } from '../scripts/lib/servers/load-secrets.mjs';
import { DATABASE_SERVICES, SERVICES } from '../scripts/lib/services.mjs';

/**
 * Creates the secrets of an installation at the first start. At each start it writes the settings of every container to a
 * volume of its own, so that no container can read another's. It also runs after an upgrade, because the services'
 * permissions on NATS come from the new image.
 */
const ROOT = '/secrets';
const secrets = loadSecrets(join(ROOT, 'init', 'secrets.json'));

/**
 * @param {string} owner container that mounts the volume
 * @param {string} name
 * @param {string} text
 * @param {number} mode 0644 for the images of the servers, which run as other users
 */
function write(owner, name, text, mode) {
  const file = join(ROOT, owner, name);
  writeFileSync(file, text, { mode });
  // Writing to an existing file does not change its mode.
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
// Only the workflows service needs the keys. The container that rotates them mounts the same volume.
ensureMasterKeys(join(ROOT, 'workflows', 'master-keys.json'));

write('postgres', 'password', secrets.postgres, 0o644);
write('redis', 'redis.conf', `${[...redis, 'maxmemory-policy noeviction'].join('\n')}\n`, 0o644);
write(
  'nats',
  'nats.conf',
  renderNatsConfig({ host: '0.0.0.0', port: 4222, storeDir: '/data', passwords: secrets.nats }),
  0o644,
);
const ownerUrl = process.env.DATABASE_URL || `postgresql://millrace:${secrets.postgres}@postgres:5432/millrace`;
const logins = databaseLogins({ env: process.env, ownerUrl, secrets });
// Only migrations change the tables, and grant the services their rights.
write('migrate', 'env.json', JSON.stringify({ DATABASE_URL: ownerUrl, ...logins }), 0o600);
for (const service of SERVICES) {
  // As with `npm run up`, gateway and worker get no more than they need: the gateway is reachable from the internet, and
  // the worker runs users' code.
  const env = {
    ...(DATABASE_SERVICES.includes(service) && { DATABASE_URL: logins[loginVariable(service)] }),
    REDIS_URL: `redis://:${secrets.redis}@redis:6379/0`,
    NATS_URL: 'nats://nats:4222',
    NATS_PASSWORD: secrets.nats[service],
    // It connects workers on other machines to NATS.
    ...(service === 'gateway' && { NATS_PASSWORD_WORKER: secrets.nats.worker }),
    ...(service !== 'worker' && { MILLRACE_SECRET: secrets.millrace }),
    ...(service === 'workflows' && { SECRETS_KEY_FILE: '/secrets/master-keys.json' }),
  };
  write(service, 'env.json', JSON.stringify(env), 0o600);
}
