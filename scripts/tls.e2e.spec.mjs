import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keepLogs } from '../e2e/support/keep-logs.ts';
import { readFilePort, runToEnd, script } from '../e2e/support/run-workflow.ts';
import { signUp } from '../e2e/support/sign-up.ts';
import { connectBroker } from '../libs/messaging/src/broker/connect-broker.ts';
import { RedisTrust } from '../libs/messaging/src/jobs/redis-trust.ts';
import { connectionOptions } from '../libs/messaging/src/wiring/messaging-options.ts';
import { Database } from '../libs/persistence/src/database.ts';
import { freePort } from '../libs/testkit/src/free-port.ts';
import { ROOT } from './lib/layout.mjs';
import { makeCertificates } from './lib/test/make-certificates.mjs';
import { startTlsServers } from './lib/test/start-tls-servers.mjs';

/** @type {string} */
let folder;
/** @type {import('./lib/test/start-tls-servers.mjs').TlsServers} */
let servers;
const pem = (/** @type {string} */ name) => join(folder, `${name}.pem`);
const files = () => ({ ca: pem('ca'), cert: pem('client'), key: pem('client-key') });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  // If root runs this, PostgreSQL's own user must be able to enter the folder.
  chmodSync(folder, 0o711);
  makeCertificates(folder);
  servers = await startTlsServers(folder);
});
afterAll(async () => {
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** @typedef {{ ca?: string, cert?: string, key?: string }} Files */

/**
 * Connects once to each server, as a service does at its start.
 * @type {Record<string, (files: Files, host: string) => Promise<unknown>>}
 */
const CONNECT = {
  DATABASE: async (tls, host) => {
    const url = `${servers.postgres.replace('127.0.0.1', host)}?sslmode=verify-full`;
    const database = new Database({ url, tls, service: 'auth', connections: 1 });
    try {
      await database.connect();
    } finally {
      await database.close();
    }
  },
  REDIS: async (redisTls, host) => {
    const redisUrl = servers.redis.replace('127.0.0.1', host);
    await new RedisTrust({ service: 'auth', natsUrl: '', redisUrl, redisTls, checkResponses: true }).onModuleInit();
  },
  NATS: async (natsTls, host) => {
    const natsUrl = servers.nats.replace('127.0.0.1', host);
    const passwords = { natsPassword: String(servers.natsPasswords.auth), redisUrl: '', checkResponses: true };
    const connection = await connectBroker(connectionOptions({ service: 'auth', natsUrl, natsTls, ...passwords }));
    await connection.close();
  },
};

describe.each(Object.keys(CONNECT))('a connection to the server of %s_URL', (server) => {
  const connect = (/** @type {Files} */ tls, host = '127.0.0.1') => CONNECT[server]?.(tls, host);

  it('is made with the authority and a certificate of the client', async () => {
    await connect(files());
  });

  it.each([
    ['without the authority', () => ({ cert: pem('client'), key: pem('client-key') }), /self-signed|unable to/],
    ['with another authority', () => ({ ...files(), ca: pem('other-ca') }), /self-signed|unable to|signature/],
    ['without a certificate of the client', () => ({ ca: pem('ca') }), /certificate/],
  ])('is refused %s, and the message names the settings', async (_, tls, reason) => {
    const failure = connect(tls());
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toThrow(`${server}_URL: no trusted connection to 127.0.0.1:`);
    await expect(failure).rejects.toThrow(`${server}_CA_FILE`);
  });

  it('is refused if the certificate has another name', async () => {
    await expect(connect(files(), 'localhost')).rejects.toThrow(/Host: localhost|match/);
  });
});

describe('a system on servers with TLS', () => {
  it('starts, and runs a workflow with a worker', async () => {
    const dataDir = join(folder, 'data');
    const port = await freePort();
    const tls = Object.keys(CONNECT).flatMap((server) => [
      [`${server}_CA_FILE`, pem('ca')],
      [`${server}_CERT_FILE`, pem('client')],
      [`${server}_KEY_FILE`, pem('client-key')],
    ]);
    const passwords = Object.entries(servers.natsPasswords).map(([name, password]) => [
      `NATS_PASSWORD_${name.toUpperCase()}`,
      password,
    ]);
    const env = {
      ...process.env,
      ...{ MILLRACE_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'trace', RATE_LIMIT_PER_MINUTE: '60000' },
      ...{ DATABASE_URL: servers.postgres, REDIS_URL: servers.redis, NATS_URL: servers.nats },
      ...Object.fromEntries([...tls, ...passwords]),
    };
    const run = (/** @type {string[]} */ ...args) =>
      spawnSync(process.execPath, [join(ROOT, 'scripts', String(args[0])), ...args.slice(1)], {
        cwd: ROOT,
        env,
        encoding: 'utf8',
        timeout: 120_000,
      });
    try {
      const { status, stdout, stderr } = run('up.mjs', '--detach', '--single');
      expect(stdout + stderr).toContain('Millrace is up');
      expect(status).toBe(0);
      const account = await signUp(`http://127.0.0.1:${port}`);
      const draft = { nodes: { 'hello-1': script('echo hello') } };
      const { id, status: outcome } = await runToEnd(account, draft);
      expect(outcome).toBe('COMPLETED');
      expect(await readFilePort(account.client, id, 'hello-1')).toBe('hello\n');
      expect(run('inspect.mjs', 'outbox').stdout).toContain('Latest relayed entries');
      expect(run('inspect.mjs', 'queues').stdout).toContain('subjobs-default');
    } finally {
      run('down.mjs');
      keepLogs(dataDir, 'tls');
    }
  });
});
