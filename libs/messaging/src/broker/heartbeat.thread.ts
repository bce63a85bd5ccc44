import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connect } from '@nats-io/transport-node';
import { connectionOptions, type MessagingOptions } from '../wiring/messaging-options.js';

/** What the thread is given at its start. */
export interface HeartbeatThreadData {
  options: MessagingOptions;
  subject: string;
  intervalMs: number;
  trustMs: number;
}

/** From the main thread: what to publish from now on, as JSON. */
export type HeartbeatThreadCommand = { text: string };

const { options, subject, intervalMs, trustMs } = workerData as HeartbeatThreadData;
const port = parentPort as MessagePort;
let latest: HeartbeatThreadCommand | null = null;
let receivedAt = -Infinity;

port.on('message', (order: HeartbeatThreadCommand) => {
  latest = order;
  receivedAt = performance.now();
});

const connection = await connect({ ...connectionOptions(options), name: `millrace-${options.service}-${subject}` });

function publish(): void {
  if (latest && performance.now() - receivedAt < trustMs) connection.publish(subject, latest.text);
}

setInterval(publish, intervalMs);
publish();
for await (const status of connection.status()) if (status.type === 'reconnect') publish();
