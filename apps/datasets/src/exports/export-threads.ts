import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StoredObject } from '@millrace/storage/object-store';
import type { ExportTask, FromThread, ToThread } from './writing/export-task.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const PROGRAM = new URL('../../dist/exports/writing/export.thread.js', import.meta.url);
/** In MiB; what a row group takes as objects, twice. Pieces of a file lie beside it and are few. */
const OLD_MB = 512;
/**
 * In MiB. Objects of rows of Parquet live for a row group. All else is bytes on their way, which are garbage at once: in a
 * large young generation their buffers would be kept, and gone through, for longer, at a quarter of what an export costs.
 */
const youngMb = (format: ExportTask['format']): number => (format === 'parquet' ? 64 : 2);
/** For a thread to take back what it began; then it is ended. */
const TIMEOUT_MS = 5_000;

export interface Written {
  object: StoredObject;
  rows: number;
}

export interface Watcher {
  /** Waited for before the object is stored; where it fails, nothing is. */
  announce(object: StoredObject): Promise<void>;
  /** Told which process at Postgres reads, and how many bytes there are so far. */
  tell(progress: { pid?: number; bytes?: number }): void;
  signal: AbortSignal;
}

/** What a thread could not do. `code` is Postgres' (SQLSTATE) or the system's, where there is one. */
export class WritingFailed extends Error {
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
  async write(task: ExportTask, watcher: Watcher): Promise<Written> {
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

async function runThread(task: ExportTask, watcher: Watcher): Promise<Written> {
  const resourceLimits = { maxOldGenerationSizeMb: OLD_MB, maxYoungGenerationSizeMb: youngMb(task.format) };
  const thread = new Worker(PROGRAM, { workerData: task, resourceLimits, execArgv: [] });
  const exited = once(thread, 'exit').catch(() => undefined);
  const say = (message: ToThread) => thread.postMessage(message);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    say('stop');
    timer ??= setTimeout(() => void thread.terminate(), TIMEOUT_MS);
  };
  watcher.signal.addEventListener('abort', stop);
  try {
    const written = await answerOf(thread, watcher, say);
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

function answerOf(thread: Worker, watcher: Watcher, say: (message: ToThread) => void): Promise<Written> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'done') resolve({ object: message.object, rows: message.rows });
      else if (message.kind === 'failed') reject(new WritingFailed(message.message, message.code));
      else if (message.kind === 'announce') watcher.announce(message.object).then(() => say('go'), reject);
      else watcher.tell(message.kind === 'size' ? { bytes: message.bytes } : { pid: message.pid });
    });
    // Out of memory, or a mistake of ours.
    thread.once('error', reject);
    thread.once('exit', () => reject(new WritingFailed('The thread ended')));
  });
}
