import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { QueryError } from '@millrace/query/parse/query-error';
import type { StoredObject } from '@millrace/storage/object-store';
import { openStore } from '@millrace/storage/open-store';
import { lowerThreadPriority } from '../../concurrency/lower-thread-priority.js';
import type { LiveShape } from '../../reading/live-shape.js';
import { FORMATS, planCopy } from '../formats/formats.js';
import { copyRows } from './copy-rows.js';
import { type ExportTask, type MessageFromThread, type MessageToThread, QUERY_MISMATCH } from './export-task.js';

/** Writes one export from Postgres to the store, outside the main thread, which handles queries at the same time. */
const PROGRESS_INTERVAL_MS = 500;
const port = parentPort!;
const send = (message: MessageFromThread) => port.postMessage(message);

async function writeExport(task: ExportTask, signal: AbortSignal): Promise<void> {
  const { selection, dataset, format, now } = task;
  const request = {
    ...{ database: task.database, dataset, signal },
    plan: (shape: LiveShape) => planCopy(shape, selection, format, now),
    onBegin: (pid: number) => send({ kind: 'reading', pid }),
  };
  const { result, rows } = await copyRows(request, (stream, columns) => {
    const content = reportBytes(FORMATS[format].write(columns, stream));
    return openStore(task.storage).put(content, { durable: true, signal, announce: reserveFile });
  });
  send({ kind: 'done', object: result, rows });
}

/** Waits until the service has recorded the file. */
async function reserveFile(object: StoredObject): Promise<void> {
  send({ kind: 'reserve', object });
  const [message] = (await once(port, 'message')) as [MessageToThread];
  if (message !== 'store') throw new Error('The export is no longer needed');
}

async function* reportBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  let reportedAt = performance.now();
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.length;
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
    reportedAt = performance.now();
    send({ kind: 'progress', bytes });
  }
}

const stop = new AbortController();
port.on('message', (message: MessageToThread) => {
  if (message === 'stop') stop.abort(new Error('The export was stopped'));
});
lowerThreadPriority();
try {
  await writeExport(workerData as ExportTask, stop.signal);
} catch (error) {
  const { message, code = error instanceof QueryError ? QUERY_MISMATCH : undefined } = error as NodeJS.ErrnoException;
  send({ kind: 'failed', message, ...(typeof code === 'string' && { code }) });
} finally {
  port.close();
}
