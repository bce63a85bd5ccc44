import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import type { WorkerGrant } from '@millrace/contracts/auth/join';
import { eventually } from '@millrace/testkit/eventually';
import type { LinkLimits } from './worker-limits.js';
import { WorkerLink } from './worker-link.js';

const GRANT: WorkerGrant = { id: 'j-0123456789abcdef', fleet: 'gpu', labels: {}, sizes: ['small'] };
const MAX_PAYLOAD = 256 * 1024;
const PUBLICATION = `PUB rpc.runs.x _INBOX_worker.1 ${MAX_PAYLOAD}\r\n${'x'.repeat(MAX_PAYLOAD)}\r\n`;
/** Publications that arrive at once. */
const MESSAGE = Buffer.from(PUBLICATION.repeat(4));
const MESSAGES = 32;

const NO_LIMITS: LinkLimits = {
  admit: () => Promise.resolve(null),
  complete: () => undefined,
  count: () => undefined,
  countViolation: () => undefined,
  isExceeded: false,
  close: () => undefined,
};

let worker: WebSocket;
/** The end of the link that NATS has, which reads nothing by itself. */
let nats: Socket;
/** The end that the gateway has. */
let upstream: Socket;
let close: () => void;

beforeEach(async () => {
  const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  const webSockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await Promise.all([once(listener, 'listening'), once(webSockets, 'listening')]);
  upstream = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  [nats] = (await once(listener, 'connection')) as [Socket];
  worker = new WebSocket(`ws://127.0.0.1:${(webSockets.address() as AddressInfo).port}`);
  const [[client]] = (await Promise.all([once(webSockets, 'connection'), once(worker, 'open')])) as [
    [WebSocket],
    unknown,
  ];
  const info = { max_payload: MAX_PAYLOAD };
  new WorkerLink(GRANT, client, { socket: upstream, info, user: undefined, pass: undefined }, NO_LIMITS);
  close = () => {
    worker.terminate();
    nats.destroy();
    upstream.destroy();
    webSockets.close();
    listener.close();
  };
});
afterEach(() => close());

/** Sends more than the kernel's buffers hold, and waits until the gateway stops reading. */
async function sendMuch(): Promise<void> {
  for (const _ of Array(MESSAGES)) worker.send(MESSAGE);
  await eventually(() => expect(upstream.listenerCount('drain')).toBe(1));
  await sleep(200);
}

it('reads nothing from the worker while NATS takes nothing, and then everything in its order', async () => {
  await sendMuch();
  expect(worker.bufferedAmount).toBeGreaterThan((MESSAGES * MESSAGE.length) / 2);
  expect(upstream.listenerCount('drain')).toBe(1);
  let received = 0;
  nats.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  nats.resume();
  await eventually(() => expect(received).toBe(MESSAGES * MESSAGE.length));
  expect(upstream.listenerCount('drain')).toBe(0);
});

it('ends the connection of the worker if NATS ends while it takes nothing', async () => {
  await sendMuch();
  nats.destroy();
  const [code] = (await once(worker, 'close')) as [number];
  expect([1001, 1006]).toContain(code);
});

it('ends the connection of a worker that sends no protocol of NATS, and passes what came before', async () => {
  nats.resume();
  const first = once(nats, 'data');
  worker.send('PING\r\nCONNECT null\r\n');
  const [received] = (await first) as [Buffer];
  expect(received.toString()).toBe('PING\r\n');
  const [code, reason] = (await once(worker, 'close')) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([1002, 'The options of CONNECT must be a JSON object']);
});

it('takes a message of many frames', async () => {
  const frames = 130_000;
  nats.resume();
  let received = 0;
  nats.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  worker.send('PING\r\n'.repeat(frames));
  await eventually(() => expect(received).toBe(6 * frames));
});
