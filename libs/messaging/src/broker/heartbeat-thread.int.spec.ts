import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { heartbeats } from '@millrace/contracts/runs/engine';
import { heartbeat, type Heartbeat } from '@millrace/contracts/runs/report';
import { eventually } from '@millrace/testkit/eventually';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { connectionOptions } from '../wiring/messaging-options.js';
import { HeartbeatThread } from './heartbeat-thread.js';

let nats: PrivateNats;
let listener: NatsConnection;
let signal: HeartbeatThread<typeof heartbeats>;
let received: Heartbeat[];

const optionsOf = (service: 'worker' | 'runs') => ({
  service,
  natsUrl: nats.url,
  natsPassword: nats.passwords[service],
  redisUrl: '',
  checkResponses: true,
});

beforeAll(async () => {
  nats = await privateNats();
  listener = await connect(connectionOptions(optionsOf('runs')));
  listener.subscribe(heartbeats.subject, { callback: (_, message) => void received.push(message.json()) });
  await listener.flush();
});
afterEach(() => signal.close());
afterAll(async () => {
  await listener.close();
  await nats.stop();
});

function start(maxAgeMs: number): void {
  received = [];
  signal = new HeartbeatThread(optionsOf('worker'), heartbeats, { intervalMs: 20, maxAgeMs }, (error) => {
    throw error;
  });
}

const heartbeatOf = (dispatches: string[]): Heartbeat =>
  heartbeat.parse({ worker: 'w', host: 'h', slots: 1, dispatches, replaces: null });

/** Blocks the event loop, like long synchronous work. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('HeartbeatThread publishes the latest payload while the event loop is blocked', async () => {
  start(60_000);
  signal.set(heartbeatOf(['1']));
  await eventually(() => expect(received.length).toBeGreaterThan(0));
  signal.set(heartbeatOf(['2']));
  block(1_000);
  received = [];
  const receivedTogether = await new Promise<Heartbeat[]>((resolve) => setImmediate(() => resolve([...received])));
  // Everything that the thread sent within the second waits in the socket, and arrives at once.
  expect(receivedTogether.length).toBeGreaterThan(3);
  expect(receivedTogether.at(-1)).toEqual(heartbeatOf(['2']));
});

it('HeartbeatThread stops publishing a payload that is too old, and resumes when it is set again', async () => {
  start(300);
  signal.set(heartbeatOf(['1']));
  await eventually(() => expect(received.length).toBeGreaterThan(0));
  await sleep(600);
  received = [];
  await sleep(200);
  expect(received).toEqual([]);
  signal.set(heartbeatOf(['3']));
  await eventually(() => expect(received.at(-1)).toEqual(heartbeatOf(['3'])));
});

it('HeartbeatThread resumes after the broker was down', async () => {
  start(60_000);
  signal.set(heartbeatOf(['1']));
  await eventually(() => expect(received.length).toBeGreaterThan(0));
  await nats.kill();
  await nats.start();
  received = [];
  await eventually(() => expect(received.at(-1)).toEqual(heartbeatOf(['1'])));
});
