import { spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderNatsConfig } from '../../../libs/messaging/src/broker/nats-config.ts';
import { eventually } from '../../../libs/testkit/src/eventually.ts';
import { freePort } from '../../../libs/testkit/src/free-port.ts';
import { postgresHome } from '../install/ensure-postgres.mjs';
import { ROOT } from '../layout.mjs';
import { findCommand } from '../machine/find-command.mjs';
import { createCluster } from '../servers/create-cluster.mjs';
import { choosePostgresUser } from '../servers/postgres-user.mjs';
import { accepts } from '../servers/probe-server.mjs';
import { SERVICES } from '../services.mjs';

const PASSWORD = 'owner of the tests';

/**
 * @typedef {{ postgres: string, redis: string, nats: string, natsPasswords: Record<string, string>, stop: () => Promise<void> }} TlsServers URLs with the address in the certificate
 */

/**
 * Starts Postgres, Redis and NATS that accept only TLS, and only clients with a certificate of `ca.pem`.
 * @param {string} folder with the files of `makeCertificates`
 * @returns {Promise<TlsServers>}
 */
export async function startTlsServers(folder) {
  const ports = { postgres: await freePort(), redis: await freePort(), nats: await freePort() };
  const natsPasswords = Object.fromEntries(SERVICES.map((name) => [name, `nats-of-${name}`]));
  const servers = [
    await startPostgres(folder, ports.postgres),
    startRedis(folder, ports.redis),
    startNats(folder, ports.nats, natsPasswords),
  ];
  const stop = async () => {
    const running = servers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((server) => new Promise((resolve) => server.once('exit', resolve)));
    for (const server of running) server.kill('SIGINT');
    await Promise.all(ended);
  };
  for (const port of Object.values(ports))
    await eventually(async () => {
      if (!(await accepts({ host: '127.0.0.1', port }))) throw new Error(`Nothing listens on port ${port}`);
    });
  return {
    postgres: `postgresql://millrace:${encodeURIComponent(PASSWORD)}@127.0.0.1:${ports.postgres}/millrace`,
    redis: `rediss://127.0.0.1:${ports.redis}`,
    nats: `tls://127.0.0.1:${ports.nats}`,
    natsPasswords,
    stop,
  };
}

/**
 * @param {string} folder
 * @param {number} port
 */
async function startPostgres(folder, port) {
  const home = postgresHome(ROOT);
  const binary = join(home, 'bin', 'postgres');
  const data = join(folder, 'postgres');
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const user = await choosePostgresUser({ binary, folder });
  await createCluster({ folder: data, home, user, password: PASSWORD, env, durable: false });
  const key = join(data, 'server-key.pem');
  copyFileSync(join(folder, 'server-key.pem'), key);
  chmodSync(key, 0o600);
  if (user.owner) chownSync(key, user.owner.uid, user.owner.gid);
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n');
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200, fsync: 'off' },
    ...{ ssl: 'on', ssl_cert_file: join(folder, 'server.pem'), ssl_key_file: key, ssl_ca_file: join(folder, 'ca.pem') },
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args, ...owner } = user.wrap(binary, ['-D', data, ...options]);
  return spawn(command, args, { ...owner, env, cwd: data, stdio: 'ignore' });
}

/**
 * @param {string} folder with the files of `makeCertificates`
 * @param {number} port
 * @param {{ addresses?: string[], password?: string, clientCertificates?: 'yes' | 'optional' }} options
 */
export function startRedis(folder, port, { addresses = ['127.0.0.1'], password, clientCertificates = 'yes' } = {}) {
  const tls = { cert: 'server.pem', key: 'server-key.pem', 'ca-cert': 'ca.pem' };
  const files = Object.entries(tls).flatMap(([name, file]) => [`--tls-${name}-file`, join(folder, file)]);
  const access = ['--tls-auth-clients', clientCertificates, ...(password ? ['--requirepass', password] : [])];
  const args = ['--port', '0', '--tls-port', String(port), '--bind', ...addresses, '--save', '', ...files, ...access];
  return spawn(findCommand('redis-server') ?? '', [...args, '--maxmemory-policy', 'noeviction'], {
    cwd: folder,
    stdio: 'ignore',
  });
}

/**
 * @param {string} folder with the files of `makeCertificates`
 * @param {number} port
 * @param {Record<string, string>} passwords
 */
export function startNats(folder, port, passwords) {
  const storeDir = join(folder, 'jetstream');
  mkdirSync(storeDir);
  const config = renderNatsConfig({ host: '127.0.0.1', port, storeDir, passwords: /** @type {any} */ (passwords) });
  const file = (/** @type {string} */ name) => JSON.stringify(join(folder, name));
  const tls = `tls { cert_file: ${file('server.pem')}, key_file: ${file('server-key.pem')}, ca_file: ${file('ca.pem')}, verify: true }`;
  writeFileSync(join(folder, 'nats.conf'), `${config}${tls}\n`, { mode: 0o600 });
  return spawn(findCommand('nats-server') ?? '', ['-js', '-c', join(folder, 'nats.conf')], {
    cwd: folder,
    stdio: 'ignore',
  });
}
