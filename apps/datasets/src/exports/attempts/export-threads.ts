import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StoredObject } from '@millrace/storage/object-store';
import type { ExportTask, MessageFromThread, MessageToThread } from '../writing/export-task.js';

/** The path is valid from `src`, where Jest runs, and from `dist`. A thread needs JavaScript. */
const THREAD_FILE = new URL('../../../dist/exports/writing/export.thread.js', import.meta.url);
/** Twice the memory of a row group as objects. The pieces of a file are outside of the heap and few. */
const MAX_OLD_GENERATION_MB = 512;
/**
 * The objects of Parquet rows live until their row group is written. All other formats pass bytes through, which become
 * garbage immediately: a large young generation would keep and scan their buffers for longer, at a quarter of the cost of
 * an export.
 */
const maxYoungGenerationMb = (format: ExportTask['format']): number => (format === 'parquet' ? 64 : 2);
/** Time for a thread to clean up before it is terminated. */
const STOP_TIMEOUT_MS = 5_000;

export interface WrittenExport {
  object: StoredObject;
  rows: number;
}

export interface AttemptWatcher {
  /** Runs before the object is stored. If it fails, the object is not stored. */
  reserveFile(object: StoredObject): Promise<void>;
  /** @param progress process id of the Postgres backend, and bytes written so far */
  reportProgress(progress: { pid?: number; bytes?: number }): void;
  signal: AbortSignal;
}

/** A thread could not write an export. `code` is the SQLSTATE or the system's code, if there is one. */
export class ExportWriteError extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Writes exports, each in its own worker thread. */
@Injectable()
export class ExportThreads implements OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  /** @throws ExportWriteError; the reason of the signal; Error if the service is shutting down */
  async write(task: ExportTask, watcher: AttemptWatcher): Promise<WrittenExport> {
    const signal = AbortSignal.any([watcher.signal, this.closing.signal]);
    signal.throwIfAborted();
    const work = runThread(task, { ...watcher, signal });
    const ended = work.catch(() => undefined).finally(() => this.running.delete(ended));
    this.running.add(ended);
    return work;
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort(new Error('The service is shutting down; the export will be written again'));
    await Promise.all(this.running);
  }
}

async function runThread(task: ExportTask, watcher: AttemptWatcher): Promise<WrittenExport> {
  const resourceLimits = {
    maxOldGenerationSizeMb: MAX_OLD_GENERATION_MB,
    maxYoungGenerationSizeMb: maxYoungGenerationMb(task.format),
  };
  const thread = new Worker(THREAD_FILE, { workerData: task, resourceLimits, execArgv: [] });
  const exited = once(thread, 'exit').catch(() => undefined);
  const send = (message: MessageToThread) => thread.postMessage(message);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    send('stop');
    timer ??= setTimeout(() => void thread.terminate(), STOP_TIMEOUT_MS);
  };
  watcher.signal.addEventListener('abort', stop);
  try {
    const written = await waitForResult(thread, watcher, send);
    await exited;
    return written;
  } catch (error) {
    stop();
    await exited;
    watcher.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    watcher.signal.removeEventListener('abort', stop);
  }
}

function waitForResult(
  thread: Worker,
  watcher: AttemptWatcher,
  send: (message: MessageToThread) => void,
): Promise<WrittenExport> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: MessageFromThread) => {
      if (message.kind === 'done') resolve({ object: message.object, rows: message.rows });
      else if (message.kind === 'failed') reject(new ExportWriteError(message.message, message.code));
      else if (message.kind === 'reserve') watcher.reserveFile(message.object).then(() => send('store'), reject);
      else watcher.reportProgress(message.kind === 'progress' ? { bytes: message.bytes } : { pid: message.pid });
    });
    // Out of memory, or a programming error.
    thread.once('error', reject);
    thread.once('exit', () => reject(new ExportWriteError('The writing thread has ended')));
  });
}
