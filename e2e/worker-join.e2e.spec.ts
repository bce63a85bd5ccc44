import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { joinedWorkers, subjobs, workers } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { freePort } from '@millrace/testkit/free-port';
import { startS3, type TestS3 } from '../libs/storage/src/testing/start-s3.js';
import { createNetwork, type Network } from './support/network-namespaces.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { REPOSITORY } from './support/repository.js';
import { findNode, listChildren, script, startRun, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { loadTlsServers, makeCertificates } from './support/tls-servers.js';

const ITEMS = 6;
const REDIS_PASSWORD = 'redis of the installation';
/** EX_NOPERM: the worker was revoked. */
const REVOKED_EXIT_CODE = 77;

let folder: string;
let network: Network;
let servers: ChildProcess[] = [];
let s3: TestS3;
let proxy: Server;
let system: OwnSystem;
let admin: Account;
let url: string;
const pem = (name: string) => join(folder, `${name}.pem`);
const machines: { process: ChildProcess; dir: string; output: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worker-join-'));
  chmodSync(folder, 0o711);
  network = createNetwork(2);
  await makeCertificates(folder, ['127.0.0.1', network.address]);
  const [redisPort, natsPort] = [await freePort(), await freePort()];
  const passwords = Object.fromEntries(SERVICES.map((name) => [name, `nats-of-${name}`]));
  const { startNats, startRedis } = await loadTlsServers();
  servers = [
    startRedis(folder, redisPort, {
      ...{ addresses: ['127.0.0.1', network.address], password: REDIS_PASSWORD, clientCertificates: 'optional' },
    }),
    startNats(folder, natsPort, passwords),
  ];
  s3 = await startS3(network.address);
  const publicPort = await freePort();
  url = `https://${network.address}:${publicPort}`;
  system = await startOwnSystem(
    {
      ...{
        REDIS_URL: `rediss://:${encodeURIComponent(REDIS_PASSWORD)}@127.0.0.1:${redisPort}`,
        REDIS_CA_FILE: pem('ca'),
      },
      ...{ NATS_URL: `tls://127.0.0.1:${natsPort}`, NATS_CA_FILE: pem('ca') },
      ...{ NATS_CERT_FILE: pem('client'), NATS_KEY_FILE: pem('client-key') },
      ...Object.fromEntries(
        Object.entries(passwords).map(([name, password]) => [`NATS_PASSWORD_${name.toUpperCase()}`, password]),
      ),
      ...{ PUBLIC_URL: url, STORAGE_URL: s3.url, ...s3.credentials },
      ...{ WORKER_JOIN_REDIS_URL: `rediss://${network.address}:${redisPort}`, WORKER_JOIN_REDIS_CA_FILE: pem('ca') },
      ...{ WORKER_JOIN_STORAGE_URL: s3.url, WORKER_JOIN_ACCESS_KEY_ID: s3.credentials.AWS_ACCESS_KEY_ID },
      ...{ WORKER_JOIN_SECRET_ACCESS_KEY: s3.credentials.AWS_SECRET_ACCESS_KEY },
    },
    { separate: [] },
  );
  await startProxy(publicPort);
  admin = await signUp(system.url);
  await queryDatabase(system.database, 'INSERT INTO auth.instance_admin (user_id) VALUES ($1)', [admin.user]);
});
afterAll(async () => {
  for (const { process, dir } of machines) {
    if (process.exitCode === null && process.kill('SIGKILL')) await once(process, 'exit');
    rmSync(dir, { recursive: true, force: true });
  }
  proxy?.close();
  await system?.stop();
  for (const server of servers) server.kill('SIGKILL');
  await s3?.close();
  network?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** TLS in front of the gateway, as a proxy of an installation provides it. */
async function startProxy(port: number): Promise<void> {
  const gateway = Number(new URL(system.url).port);
  proxy = createServer({ key: readFileSync(pem('server-key')), cert: readFileSync(pem('server')) }, (client) => {
    const inner = connectTcp(gateway, '127.0.0.1');
    for (const socket of [client, inner]) socket.on('error', () => socket.destroy());
    client.pipe(inner).pipe(client);
    client.on('close', () => inner.destroy());
    inner.on('close', () => client.destroy());
  });
  proxy.listen(port, network.address);
  await once(proxy, 'listening');
}

const cli = async (...args: string[]): Promise<string> => {
  const env = { ...process.env, MILLRACE_URL: system.url, MILLRACE_TOKEN: admin.access };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(REPOSITORY, 'apps/cli/bin/millrace.mjs'), ...args],
    { env },
  );
  return stdout;
};

/** A server that steps connect to and wait at, until it lets them continue. */
async function startGate() {
  const waiting = new Set<Socket>();
  let isOpen = false;
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (isOpen) return socket.end();
    waiting.add(socket.on('close', () => waiting.delete(socket)));
  });
  server.listen(0, network.address);
  await once(server, 'listening');
  return {
    /** A command that waits at the gate. */
    command: `cat < /dev/tcp/${network.address}/${(server.address() as AddressInfo).port}`,
    waiting: () => waiting.size,
    open: () => {
      isOpen = true;
      for (const socket of waiting) socket.end();
    },
    close: () => server.close(),
  };
}

/** Adds a machine, as the guide shows it. */
function addMachine(index: number, token: string): void {
  const dir = mkdtempSync(join(tmpdir(), `machine-${index}-`));
  writeFileSync(join(dir, 'token'), token, { mode: 0o600 });
  const options = [
    '--token-file',
    join(dir, 'token'),
    '--ca-file',
    pem('ca'),
    '--dir',
    dir,
    '--name',
    `machine-${index}`,
  ];
  const command = [
    process.execPath,
    join(REPOSITORY, 'apps/worker/bin/millrace-worker.mjs'),
    'join',
    url,
    '--slots',
    '1',
    ...options,
  ];
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'info' };
  const machine = {
    process: network.namespaces[index]?.spawn(command as [string, ...string[]], { hidden: system.folder, env }),
    dir,
    output: '',
  };
  const child = machine.process as ChildProcess;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (machine.output += String(text)));
  machines.push(machine as (typeof machines)[number]);
}

interface Stored {
  id: string;
  worker_key: string;
  redis_url: string;
  redis_user: string;
  redis_password: string;
}
const credentialsOf = (index: number) =>
  JSON.parse(readFileSync(join(machines[index]?.dir ?? '', 'credentials.json'), 'utf8')) as Stored;

/** Status of the response to a request for the WebSocket to NATS. */
function requestLink({ id, worker_key }: Stored): Promise<number | undefined> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/workers/link`, {
      headers,
      auth: `${id}:${worker_key}`,
      ca: readFileSync(pem('ca')),
      agent: false,
    });
    sent.on('response', (response) => (response.resume(), resolve(response.statusCode)));
    sent.on('upgrade', (response, socket) => (socket.destroy(), resolve(response.statusCode)));
    sent.on('error', reject);
    sent.end();
  });
}

async function connectRedis({ redis_url, redis_user, redis_password }: Stored): Promise<void> {
  const client = new Redis(redis_url, {
    ...{ username: redis_user, password: redis_password, tls: { ca: readFileSync(pem('ca')) } },
    lazyConnect: true,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}

it('two machines that share nothing but addresses join with a token, and a revoked one loses its work and all access', async () => {
  const token = (await cli('admin', 'join-tokens', 'create', 'machines', '--fleet', 'remote', '--uses', '2')).trim();
  for (const index of [0, 1]) addMachine(index, token);
  const { client } = admin;
  const live = async () =>
    (await client.call(workers.listWorkers)).results.filter(
      ({ fleet, state }) => fleet === 'remote' && state === 'active',
    );
  const ended = machines.map(async (machine) => {
    await once(machine.process, 'exit');
    throw new Error(machine.output);
  });
  for (const one of ended) one.catch(() => undefined);
  await Promise.race([eventually(async () => expect(await live()).toHaveLength(2)), ...ended]);
  expect(statSync(join(machines[0]?.dir ?? '', 'credentials.json')).mode & 0o777).toBe(0o600);

  const gate = await startGate();
  const run = await startRun(admin, {
    nodes: {
      'source-1': script(`seq ${ITEMS}`, { fleet: 'remote' }),
      'each-1': script(`${gate.command}; echo "$1"`, {
        ...{
          ...{ fleet: 'remote', network: true },
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        },
      }),
    },
    edges: [['source-1/file', 'each-1/item']],
  });
  const children = async () => listChildren(client, run.id, (await findNode(client, run.id, 'each-1')).id);
  const [first, second] = [credentialsOf(0), credentialsOf(1)];
  const usedBy = async () => new Set((await children()).map(({ worker }) => worker?.slice(0, first.id.length)));
  await eventually(async () => expect([...(await usedBy())]).toEqual(expect.arrayContaining([first.id, second.id])));
  await eventually(() => expect(gate.waiting()).toBe(2));
  expect(await requestLink(first)).toBe(101);
  await connectRedis(first);

  const exited = once(machines[0]?.process as ChildProcess, 'exit');
  await cli('admin', 'workers', 'revoke', first.id);
  const [code] = (await exited) as [number | null];
  expect({ code, output: machines[0]?.output }).toMatchObject({ code: REVOKED_EXIT_CODE });
  gate.open();
  expect(await requestLink(first)).toBe(401);
  await expect(connectRedis(first)).rejects.toThrow();
  expect((await live()).map(({ id }) => id.startsWith(second.id))).toEqual([true]);
  expect((await client.call(joinedWorkers.listJoinedWorkers)).results.map(({ id }) => id)).toEqual([second.id]);

  const last = await waitForEnd(client, run.id, 60_000);
  gate.close();
  expect({ status: last.status, error: last.error }).toMatchObject({ status: 'COMPLETED' });
  const all = await children();
  expect(all).toHaveLength(ITEMS);
  const lost = await Promise.all(
    all.map(({ id }) => client.call(subjobs.getSubjob, { params: { id: run.id, subjobId: id } })),
  );
  expect(lost.some(({ attempts }) => attempts.some(({ status }) => status === 'LOST'))).toBe(true);
});
