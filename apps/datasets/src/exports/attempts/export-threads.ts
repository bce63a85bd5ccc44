import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StoredObject } from '@millrace/storage/object-store';
import type { ExportTask, MessageFromThread, MessageToThread } from '../writing/export-task.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const THREAD_FILE = new URL('../../../dist/exports/writing/export.thread.js', import.meta.url);
/** In MiB; what a row group takes as objects, twice. Pieces of a file lie beside it and are few. */
const MAX_OLD_GENERATION_MB = 512;
/**
 * In MiB. Objects of rows of Parquet live for a row group. All else is bytes on their way, which are garbage at once: in a
 * large young generation their buffers would be kept, and gone through, for longer, at a quarter of what an export costs.
 */
const maxYoungGenerationMb = (format: ExportTask['format']): number => (format === 'parquet' ? 64 : 2);
/** For a thread to take back what it began; then it is ended. */
const STOP_TIMEOUT_MS = 5_000;

export interface WrittenExport {
  object: StoredObject;
  rows: number;
}

export interface AttemptWatcher {
  /** Waited for before the object is stored; where it fails, nothing is. */
  reserveFile(object: StoredObject): Promise<void>;
  /** Told which process at Postgres reads, and how many bytes there are so far. */
  reportProgress(progress: { pid?: number; bytes?: number }): void;
  signal: AbortSignal;
}

/** What a thread could not do. `code` is Postgres' (SQLSTATE) or the system's, where there is one. */
export class ExportWriteError extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Writes exports, each in a thread of its own. */
@Injectable()
export class ExportThreads implements OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  /** @throws WritingFailed; the reason of the signal; an Error when the service ends */
  async write(task: ExportTask, watcher: AttemptWatcher): Promise<WrittenExport> {
    const signal = AbortSignal.any([watcher.signal, this.closing.signal]);
    signal.throwIfAborted();
    const work = runThread(task, { ...watcher, signal });
    const ended = work.catch(() => undefined).finally(() => this.running.delete(ended));
    this.running.add(ended);
    return work;
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort(new Error('The service ends; the export is written again'));
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
  const say = (message: MessageToThread) => thread.postMessage(message);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    say('stop');
    timer ??= setTimeout(() => void thread.terminate(), STOP_TIMEOUT_MS);
  };
  watcher.signal.addEventListener('abort', stop);
  try {
    const written = await waitForResult(thread, watcher, say);
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
  say: (message: MessageToThread) => void,
): Promise<WrittenExport> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: MessageFromThread) => {
      if (message.kind === 'done') resolve({ object: message.object, rows: message.rows });
      else if (message.kind === 'failed') reject(new ExportWriteError(message.message, message.code));
      else if (message.kind === 'announce') watcher.reserveFile(message.object).then(() => say('go'), reject);
      else watcher.reportProgress(message.kind === 'size' ? { bytes: message.bytes } : { pid: message.pid });
    });
    // Out of memory, or a mistake of ours.
    thread.once('error', reject);
    thread.once('exit', () => reject(new ExportWriteError('The thread ended')));
  });
}
