import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PermissionViolationError } from '@nats-io/nats-core';
import { joinedWorkerDisconnected } from '@millrace/contracts/auth/admin/joined-workers';
import { checkWorkerKey, findRevokedWorkers, WORKER_LINK_PATH, type WorkerGrant } from '@millrace/contracts/auth/join';
import { heartbeats, readRunningLog, receiveReports } from '@millrace/contracts/runs/engine';
import { heartbeat } from '@millrace/contracts/runs/report';
import { eventually } from '@millrace/testkit/eventually';
import { fakeService, type FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

const GRANT: WorkerGrant = { id: 'j-0123456789abcdef', fleet: 'gpu', labels: {}, sizes: ['small'] };
const WORKER = `${GRANT.id}-0a1b2c3d`;
const KEY = 'key of the worker';

let system: GatewaySystem;
let url: string;
let runs: FakeService;
let gateway: FakeService;
beforeAll(async () => {
  system = await gatewaySystem(start);
  system.auth.on(checkWorkerKey, ({ body }) => ({
    grant: (body as { id: string; key: string }).key === KEY ? GRANT : null,
  }));
  system.auth.on(findRevokedWorkers, () => ({ revoked: [] }));
  url = await system.start({ NATS_PASSWORD_WORKER: system.nats.passwords.worker });
  runs = await system.fake('runs');
  gateway = await system.fake('gateway');
});
afterAll(() => system.close());

const linkUrl = () =>
  `${url.replace('http', 'ws').replace('//', `//${GRANT.id}:${encodeURIComponent(KEY)}@`)}${WORKER_LINK_PATH}`;
const join = () => fakeService({ service: 'worker', natsUrl: linkUrl(), redisUrl: '', checkResponses: true });
const beat = (worker: string) =>
  heartbeat.parse({ worker, host: 'h', slots: 1, dispatches: [], replaces: null, fleet: 'gpu', sizes: ['small'] });

async function statusOf(key: string): Promise<number | undefined> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const sent = request(`${url}${WORKER_LINK_PATH}`, { headers, auth: `${GRANT.id}:${key}`, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [{ statusCode?: number }];
  return response.statusCode;
}

describe('the link of a joined worker', () => {
  it('passes calls, signals and their responses in both directions', async () => {
    runs.on(receiveReports, () => null);
    const received: string[] = [];
    runs.broker.subscribe(heartbeats, ({ worker }) => received.push(worker));
    await runs.broker.connection.flush();
    const worker = await join();
    expect(await worker.call(receiveReports, { worker: WORKER, reports: [] })).toBeNull();
    worker.broker.publish(heartbeats, beat(WORKER));
    await eventually(() => expect(received).toEqual([WORKER]));
    const part = { state: 'running' as const, chunk: 'x'.repeat(3_000_000) };
    worker.broker.handleOnInstance(readRunningLog, WORKER, () => Promise.resolve(part));
    await worker.broker.connection.flush();
    const read = { run: '1', step: 0, task: 0, stream: 'stdout', offset: 0, waitMs: 0 };
    const packet = JSON.stringify({ data: { body: read }, id: '1' });
    const response = await gateway.broker.request(`rpc.worker.logs.read.${WORKER}`, packet, 5_000);
    expect(response.json()).toMatchObject({ response: part });
    await worker.close();
  });

  it('drops what the worker sends in the name of another one', async () => {
    const received: string[] = [];
    runs.broker.subscribe(heartbeats, ({ worker }) => received.push(worker));
    await runs.broker.connection.flush();
    const worker = await join();
    worker.broker.publish(heartbeats, beat('w-0123456789abcdef'));
    worker.broker.publish(heartbeats, beat(WORKER));
    await eventually(() => expect(received).toEqual([WORKER]));
    await expect(worker.call(receiveReports, { worker: 'w-0123456789abcdef', reports: [] })).rejects.toThrow(
      PermissionViolationError,
    );
    await worker.close();
  });

  it('ends when the worker is revoked', async () => {
    const worker = await join();
    const status = worker.broker.connection.status();
    system.auth.broker.publish(joinedWorkerDisconnected, { worker: GRANT.id });
    expect((await status[Symbol.asyncIterator]().next()).value).toMatchObject({ type: 'disconnect' });
    await worker.close();
  });

  it('is refused with a wrong key', async () => {
    expect(await statusOf('wrong')).toBe(401);
  });
});

it('a request that offers another protocol is an ordinary request', async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [
    'GET /api/users/me HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    '',
    '',
  ];
  socket.write(lines.join('\r\n'));
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});
