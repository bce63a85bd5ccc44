import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { openStore } from '@millrace/storage/open-store';
import type { StorageEnv } from '@millrace/storage/storage-env';
import { lowerThreadPriority } from '../../concurrency/lower-thread-priority.js';
import { LoadTooLargeError, type LoadLimits } from '../content/load-limits.js';
import { readBatch, type BatchResult, type BatchTask, type PartProgress } from './read-batch.js';

/** What a thread is given at its start; tasks come as messages. */
export interface ThreadData {
  databaseUrl: string;
  storage: StorageEnv;
  limits: LoadLimits;
}

/** To the thread: a task, and when it was read, that this was noted. */
export type MessageToThread = { kind: 'read'; task: BatchTask } | { kind: 'noted' };

/** From the thread. After `free` it takes another task. */
export type MessageFromThread =
  | { kind: 'progress'; progress: PartProgress }
  | { kind: 'read'; result: BatchResult | null }
  | { kind: 'refused'; reason: string }
  | { kind: 'free' };

/** How long another copy that reads the same batch is waited for, in milliseconds. */
const LOCK_TIMEOUT_MS = 60_000;

const { databaseUrl, storage, limits } = workerData as ThreadData;
const port = parentPort as MessagePort;
const store = openStore(storage);
const send = (message: MessageFromThread): void => port.postMessage(message);

async function processTask(task: BatchTask): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'millrace-datasets-ingest' });
  await client.connect();
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // Until the connection ends, which is when what was read has been noted, or nobody is left to note it.
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`ingest batch ${task.batch}`]);
  const noted = once(port, 'message');
  send(await tryRead(client, task));
  await noted;
  await client.end();
  send({ kind: 'free' });
}

/** Errors lose their class on their way out of a thread, so what is too large is told as a message. */
async function tryRead(client: pg.Client, task: BatchTask): Promise<MessageFromThread> {
  try {
    return { kind: 'read', result: (await isDue(client, task)) ? await read(client, task) : null };
  } catch (error) {
    if (!(error instanceof LoadTooLargeError)) throw error;
    return { kind: 'refused', reason: error.message };
  }
}

const read = (client: pg.Client, task: BatchTask): Promise<BatchResult> =>
  readBatch(task, { client, store, limits, onProgress: (progress) => send({ kind: 'progress', progress }) });

async function isDue(client: pg.Client, { batch, round }: BatchTask): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM datasets.load_part WHERE batch = $1 AND round = $2 AND status = 'PENDING' LIMIT 1",
    [batch, round],
  );
  return rowCount !== 0;
}

lowerThreadPriority();
for (;;) {
  const [order] = (await once(port, 'message')) as [MessageToThread];
  if (order.kind === 'read') await processTask(order.task);
}
