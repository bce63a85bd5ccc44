import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connectionOptions, type MessagingOptions } from '../wiring/messaging-options.js';
import { openConnection } from './open-connection.js';

/** Start parameters of the thread. */
export interface HeartbeatThreadData {
  options: MessagingOptions;
  subject: string;
  intervalMs: number;
  maxAgeMs: number;
}

/** A message from the main thread: the JSON to publish from now on. */
export type HeartbeatThreadCommand = { text: string };

const { options, subject, intervalMs, maxAgeMs } = workerData as HeartbeatThreadData;
const port = parentPort as MessagePort;
let latest: HeartbeatThreadCommand | null = null;
let receivedAt = -Infinity;

port.on('message', (command: HeartbeatThreadCommand) => {
  latest = command;
  receivedAt = performance.now();
});

const connection = await openConnection({
  ...connectionOptions(options),
  name: `millrace-${options.service}-${subject}`,
});

function publish(): void {
  if (latest && performance.now() - receivedAt < maxAgeMs) connection.publish(subject, latest.text);
}

setInterval(publish, intervalMs);
publish();
for await (const status of connection.status()) if (status.type === 'reconnect') publish();
