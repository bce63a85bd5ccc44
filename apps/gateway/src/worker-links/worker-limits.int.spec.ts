import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { checkWorkerKey, findRevokedWorkers, WORKER_LINK_PATH, type WorkerGrant } from '@millrace/contracts/auth/join';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { heartbeats, receiveReports } from '@millrace/contracts/runs/engine';
import { heartbeat } from '@millrace/contracts/runs/report';
import { eventually } from '@millrace/testkit/eventually';
import { fakeService, type FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

const MAX_IN_FLIGHT = 512;
const KEY = 'key of the worker';

let system: GatewaySystem;
let runs: FakeService;
beforeAll(async () => {
  system = await gatewaySystem(start);
  system.auth.on(checkWorkerKey, ({ body }) => {
    const grant: WorkerGrant = { id: (body as { id: string }).id, fleet: 'gpu', labels: {}, sizes: ['small'] };
    return { grant };
  });
  system.auth.on(findRevokedWorkers, () => ({ revoked: [] }));
  runs = await system.fake('runs');
});
afterAll(() => system.close());

interface JoinedWorker {
  id: string;
  grant: string;
  /** URL of its links, with the credentials. */
  link: string;
  service: FakeService;
  /** Sends a request, and returns its response as it comes. */
  request(): Promise<unknown>;
}

let workers = 0;

/** Joins a worker that no other test has, at a gateway with this limit. */
async function join(perMinute: number): Promise<JoinedWorker> {
  const env = { WORKER_RATE_LIMIT_PER_MINUTE: String(perMinute), NATS_PASSWORD_WORKER: system.nats.passwords.worker };
  const url = await system.start(env);
  const grant = `j-${String(++workers).padStart(16, '0')}`;
  const link = `${url.replace('http', 'ws').replace('//', `//${grant}:${encodeURIComponent(KEY)}@`)}${WORKER_LINK_PATH}`;
  const service = await fakeService({ service: 'worker', natsUrl: link, redisUrl: '', checkResponses: true });
  const id = `${grant}-0a1b2c3d`;
  const packet = JSON.stringify({
    data: { body: { worker: id, reports: [] }, deadline: Date.now() + 60_000 },
    id: '1',
  });
  const request = async () => (await service.broker.request(subjectOf(receiveReports), packet, 60_000)).json();
  return { id, grant, link, service, request };
}

/** Opens one more link. @throws Error with the status of the response if it is refused */
async function openLink(link: string): Promise<WebSocket> {
  const client = new WebSocket(link);
  await once(client, 'open');
  return client;
}

const LIMITED = {
  err: { code: 'rate_limited', message: expect.any(String), details: { retry_after: expect.any(Number) } },
};

it('a request above the rate of its worker gets the error of HTTP, and heartbeats still arrive', async () => {
  runs.on(receiveReports, () => null);
  const received: string[] = [];
  runs.broker.subscribe(heartbeats, ({ worker }) => received.push(worker));
  await runs.broker.connection.flush();
  // A burst of two, and no third one within five seconds.
  const worker = await join(12);
  const responses = [await worker.request(), await worker.request(), await worker.request()];
  expect(responses[2]).toMatchObject(LIMITED);
  const beat = {
    worker: worker.id,
    host: 'h',
    slots: 1,
    dispatches: [],
    replaces: null,
    fleet: 'gpu',
    sizes: ['small'],
  };
  worker.service.broker.publish(heartbeats, heartbeat.parse(beat));
  await eventually(() => expect(received).toEqual([worker.id]));
  const other = await join(12);
  expect(await other.request()).not.toMatchObject(LIMITED);
  await Promise.all([worker.service.close(), other.service.close()]);
});

it('a worker waits and repeats the calls that are above its rate', async () => {
  let calls = 0;
  runs.on(receiveReports, () => {
    calls += 1;
    return null;
  });
  // A burst of 20, and two more in each second.
  const worker = await join(120);
  const startedAt = performance.now();
  const call = () => worker.service.call(receiveReports, { worker: worker.id, reports: [] });
  expect(await Promise.all(Array.from({ length: 23 }, call))).toEqual(Array(23).fill(null));
  expect([calls, performance.now() - startedAt > 1_000]).toEqual([23, true]);
  await worker.service.close();
});

it('a request whose reply subject is in flight does not reach a service', async () => {
  const gate = Promise.withResolvers<null>();
  let pending = 0;
  runs.on(receiveReports, () => {
    pending += 1;
    return gate.promise;
  });
  const worker = await join(0);
  const { connection } = worker.service.broker;
  const body = { worker: worker.id, reports: [] };
  const packet = JSON.stringify({ data: { body, deadline: Date.now() + 60_000 }, id: '1' });
  for (const _ of Array(3)) {
    connection.publish(subjectOf(receiveReports), packet, { reply: `_INBOX_worker.${worker.id.slice(0, 18)}.same` });
  }
  const last = worker.request();
  await eventually(() => expect(pending).toBe(2));
  gate.resolve(null);
  await last;
  expect(pending).toBe(2);
  await worker.service.close();
});

it('a worker has a limited number of requests without a response, and may send more when they have it', async () => {
  const gate = Promise.withResolvers<null>();
  let pending = 0;
  runs.on(receiveReports, () => {
    pending += 1;
    return gate.promise;
  });
  const worker = await join(0);
  const responses = Array.from({ length: MAX_IN_FLIGHT }, () => worker.request());
  await eventually(() => expect(pending).toBe(MAX_IN_FLIGHT));
  expect(await worker.request()).toMatchObject(LIMITED);
  expect(pending).toBe(MAX_IN_FLIGHT);
  gate.resolve(null);
  await Promise.all(responses);
  expect(await worker.request()).not.toMatchObject(LIMITED);
  await worker.service.close();
});

/** Waits until the gateway ends the connection of a worker. */
async function waitForEnd({ service }: JoinedWorker): Promise<void> {
  for await (const { type } of service.broker.connection.status()) if (type === 'disconnect') return;
}

it('a worker that sends many messages that it may not send is disconnected, and may not connect again at once', async () => {
  const worker = await join(0);
  const end = waitForEnd(worker);
  const { connection } = worker.service.broker;
  for (const _ of Array(600)) connection.publish('rpc.runs.unknown');
  await connection.flush();
  expect(connection.isClosed()).toBe(false);
  connection.publish('rpc.runs.unknown');
  await end;
  await expect(openLink(worker.link)).rejects.toThrow('429');
  await worker.service.close();
});

it('a worker that subscribes again and again is disconnected', async () => {
  const worker = await join(0);
  const end = waitForEnd(worker);
  const { connection } = worker.service.broker;
  for (const _ of Array(3_001)) connection.subscribe(`_INBOX_worker.${worker.grant}.x`).unsubscribe();
  await end;
  await worker.service.close();
});

it('a worker has a limited number of links, also if it opens them at the same time', async () => {
  const worker = await join(0);
  await worker.service.close();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => openLink(worker.link)));
  const open = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  expect(open).toHaveLength(12);
  open[0]?.terminate();
  await eventually(async () => open.push(await openLink(worker.link)));
  for (const client of open) client.terminate();
});
