import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { QueryError } from '@millrace/query/parse/query-error';
import type { StoredObject } from '@millrace/storage/object-store';
import { openStore } from '@millrace/storage/open-store';
import { lowerThreadPriority } from '../../concurrency/lower-thread-priority.js';
import type { LiveShape } from '../../reading/live-shape.js';
import { FORMATS } from '../formats/formats.js';
import { copyRows } from './copy-rows.js';
import { type ExportTask, type MessageFromThread, QUERY_MISMATCH, type MessageToThread } from './export-task.js';
import { planCopy } from './plan-copy.js';

/** Writes one export from Postgres into the store. Its process answers queries meanwhile, so it does nothing of this. */
const TELL_MS = 500;
const port = parentPort!;
const say = (message: MessageFromThread) => port.postMessage(message);

async function writeExport(task: ExportTask, signal: AbortSignal): Promise<void> {
  const { selection, dataset, format, now } = task;
  const source = {
    ...{ url: task.databaseUrl, dataset, signal },
    plan: (shape: LiveShape) => planCopy(shape, selection, format, now),
    onBegin: (pid: number) => say({ kind: 'reading', pid }),
  };
  const { result, rows } = await copyRows(source, (stream, columns) => {
    const content = counted(FORMATS[format].write(columns, stream));
    return openStore(task.storage).put(content, { durable: true, signal, announce });
  });
  say({ kind: 'done', object: result, rows });
}

/** Until it is noted outside that there will be this object. */
async function announce(object: StoredObject): Promise<void> {
  say({ kind: 'announce', object });
  const [answer] = (await once(port, 'message')) as [MessageToThread];
  if (answer !== 'go') throw new Error('Nobody waits for it any more');
}

async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  let told = performance.now();
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.length;
    if (performance.now() - told < TELL_MS) continue;
    told = performance.now();
    say({ kind: 'size', bytes });
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
  say({ kind: 'failed', message, ...(typeof code === 'string' && { code }) });
} finally {
  port.close();
}
