import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { postgresOptions, type PostgresServer } from '@millrace/persistence/connections/postgres-options';
import { openStore } from '@millrace/storage/open-store';
import type { StorageEnv } from '@millrace/storage/settings/storage-env';
import { lowerThreadPriority } from '../../concurrency/lower-thread-priority.js';
import { LoadTooLargeError, type LoadLimits } from '../content/load-limits.js';
import { readBatch, type BatchResult, type BatchTask, type PartProgress } from './read-batch.js';

/** Input of a thread at its start. Tasks arrive as messages. */
export interface ThreadData {
  database: PostgresServer;
  storage: StorageEnv;
  limits: LoadLimits;
}

/** `saved`: the result of the task was saved, and the thread may release its lock. */
export type MessageToThread = { kind: 'read'; task: BatchTask } | { kind: 'saved' };

/** `result` is null if another copy has read the batch. After `idle` the thread accepts the next task. */
export type MessageFromThread =
  | { kind: 'progress'; progress: PartProgress }
  | { kind: 'read'; result: BatchResult | null }
  | { kind: 'tooLarge'; reason: string }
  | { kind: 'idle' };

/** How long the thread waits for another copy that reads the same batch. */
const LOCK_TIMEOUT_MS = 60_000;

const { database, storage, limits } = workerData as ThreadData;
const port = parentPort as MessagePort;
const store = openStore(storage);
const send = (message: MessageFromThread): void => port.postMessage(message);

async function processTask(task: BatchTask): Promise<void> {
  const client = new pg.Client({ ...postgresOptions(database), application_name: 'millrace-datasets-ingest' });
  await client.connect();
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // Held until the connection ends, which is after the result was saved or the service has stopped.
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`ingest batch ${task.batch}`]);
  const saved = once(port, 'message');
  send(await tryRead(client, task));
  await saved;
  await client.end();
  send({ kind: 'idle' });
}

/** An error loses its class when it leaves a thread, so a load that is too large is reported as a message. */
async function tryRead(client: pg.Client, task: BatchTask): Promise<MessageFromThread> {
  try {
    return { kind: 'read', result: (await isDue(client, task)) ? await read(client, task) : null };
  } catch (error) {
    if (!(error instanceof LoadTooLargeError)) throw error;
    return { kind: 'tooLarge', reason: error.message };
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
  const [message] = (await once(port, 'message')) as [MessageToThread];
  if (message.kind === 'read') await processTask(message.task);
}
