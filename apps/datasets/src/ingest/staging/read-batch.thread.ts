import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { openStore } from '@millrace/storage/open-store';
import type { StorageEnv } from '@millrace/storage/storage-env';
import { readBatch, type BatchResult, type BatchTask, type PartProgress } from './read-batch.js';

export interface ThreadData {
  task: BatchTask;
  databaseUrl: string;
  storage: StorageEnv;
}

export type ThreadMessage = { kind: 'progress'; progress: PartProgress } | { kind: 'read'; result: BatchResult | null };

/** How long another copy that reads the same batch is waited for, in milliseconds. */
const WAIT_MS = 60_000;

const { task, databaseUrl, storage } = workerData as ThreadData;
const client = new pg.Client({ connectionString: databaseUrl, application_name: 'millrace-datasets-ingest' });
const say = (message: ThreadMessage): void => parentPort?.postMessage(message);

await client.connect();
await client.query(`SET lock_timeout = ${WAIT_MS}`);
// Until the connection ends, which is when what was read has been noted, or nobody is left to note it.
await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`ingest batch ${task.batch}`]);
const due = await client.query(
  "SELECT 1 FROM datasets.load_part WHERE batch = $1 AND round = $2 AND status = 'PENDING' LIMIT 1",
  [task.batch, task.round],
);
const result =
  due.rowCount === 0
    ? null
    : await readBatch(task, {
        client,
        store: openStore(storage),
        tell: (progress) => say({ kind: 'progress', progress }),
      });
parentPort?.once('message', () => void client.end().then(() => parentPort?.close()));
say({ kind: 'read', result });
