import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKER_LINK_PATH } from '@millrace/contracts/auth/join';
import type { ProcessEnv } from '@millrace/service/startup/env';
import type { Credentials } from './credentials.js';

/**
 * The environment of a joined worker: the settings of the machine, with the addresses and credentials from its file. They stay
 * in this process; the operating system shows only the environment with which it was started.
 * @param dir folder for work and for the certificates of authorities
 */
export function toWorkerEnv(env: ProcessEnv, stored: Credentials, dir: string): ProcessEnv {
  const caFile = writePem(dir, 'installation-ca.pem', stored.ca);
  const redisCaFile = writePem(dir, 'redis-ca.pem', stored.redis_ca);
  const work = env['WORK_DIR'] || join(dir, 'work');
  const objects = env['STORAGE_DIR'] || join(dir, 'objects');
  for (const folder of [work, objects]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    ...env,
    NATS_URL: linkUrl(stored),
    NATS_PASSWORD: undefined,
    NATS_CA_FILE: caFile,
    REDIS_URL: withCredentials(stored.redis_url, stored.redis_user, stored.redis_password),
    REDIS_CA_FILE: redisCaFile,
    STORAGE_URL: stored.storage_url,
    ...(stored.storage_access_key !== undefined && {
      AWS_ACCESS_KEY_ID: stored.storage_access_key,
      AWS_SECRET_ACCESS_KEY: stored.storage_secret_key,
    }),
    STORAGE_DIR: objects,
    WORK_DIR: work,
    WORKER_FLEET: stored.fleet,
    WORKER_LABELS: Object.entries(stored.labels)
      .map((label) => label.join('='))
      .join(','),
    WORKER_SIZES: stored.sizes.join(','),
    WORKER_SLOTS: env['WORKER_SLOTS'] || stored.slots,
  };
}

/** Address of the WebSocket at the gateway, with the credentials. */
const linkUrl = ({ url, id, worker_key }: Credentials): string =>
  withCredentials(`${url.replace(/\/$/, '')}${WORKER_LINK_PATH}`.replace(/^http/, 'ws'), id, worker_key);

function withCredentials(address: string, user: string, password: string): string {
  const url = new URL(address);
  [url.username, url.password] = [user, password];
  return url.href;
}

function writePem(dir: string, name: string, pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined;
  const file = join(dir, name);
  writeFileSync(file, pem, { mode: 0o600 });
  return file;
}
