import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { pickStorageEnv } from '@millrace/storage/settings/storage-env';
import { DATASETS_ENV, toLoadLimits, type DatasetsEnv } from '../../env.js';
import { PermanentLoadError } from '../loads/load-guard.js';
import type { BatchResult, BatchTask, PartProgress } from './read-batch.js';
import type { ThreadData, MessageFromThread, MessageToThread } from './read-batch.thread.js';

/** The path is valid from `src`, where Jest runs, and from `dist`. A thread needs JavaScript. */
const THREAD_FILE = new URL('../../../dist/ingest/staging/read-batch.thread.js', import.meta.url);
/** Many times the memory of the longest rows that are in memory at once. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };
/** A thread takes 300 ms to start, so an idle one stays for a while. */
const IDLE_TIMEOUT_MS = 30_000;

interface BatchHandlers {
  /** Aborts when the result is no longer needed. */
  signal: AbortSignal;
  onProgress: (progress: PartProgress) => void;
  /** Not called if another copy of the service has read the batch. */
  saveResult: (result: BatchResult) => Promise<void>;
}

/** Reads batches in worker threads, so that the service stays responsive. */
@Injectable()
export class ReadThreads implements OnModuleDestroy {
  private readonly busy = new Set<Worker>();
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  constructor(
    private readonly database: Database,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  /**
   * Reads a batch and saves the result. No other copy reads the same batch until the result is saved.
   * @throws PermanentLoadError if the load is too large; the error of the thread
   */
  async read(task: BatchTask, { signal, onProgress, saveResult }: BatchHandlers): Promise<void> {
    const thread = this.acquire();
    const terminate = () => void thread.terminate();
    signal.addEventListener('abort', terminate);
    try {
      const response = await callThread(thread, { kind: 'read', task }, onProgress);
      if (response.kind === 'tooLarge') throw new PermanentLoadError(response.reason);
      if (response.kind === 'read' && response.result) await saveResult(response.result);
      await callThread(thread, { kind: 'saved' });
      this.release(thread);
    } catch (error) {
      await thread.terminate();
      throw error;
    } finally {
      signal.removeEventListener('abort', terminate);
      this.busy.delete(thread);
    }
  }

  async onModuleDestroy(): Promise<void> {
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.all([...this.busy, ...this.idle.keys()].map((thread) => thread.terminate()));
  }

  private acquire(): Worker {
    const [thread = this.start()] = this.idle.keys();
    clearTimeout(this.idle.get(thread));
    this.idle.delete(thread);
    this.busy.add(thread);
    return thread;
  }

  private start(): Worker {
    const workerData: ThreadData = {
      database: this.database.server,
      storage: pickStorageEnv(this.env),
      limits: toLoadLimits(this.env),
    };
    const thread = new Worker(THREAD_FILE, { workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [], env: {} });
    // A busy thread reports its error through `callThread`. Without this listener an idle one would end the service.
    return thread.on('error', () => this.idle.delete(thread)).on('exit', () => this.idle.delete(thread));
  }

  private release(thread: Worker): void {
    const end = () => {
      this.idle.delete(thread);
      void thread.terminate();
    };
    this.idle.set(thread, setTimeout(end, IDLE_TIMEOUT_MS).unref());
  }
}

/**
 * Sends a message and waits for the response.
 * @throws Error if the thread fails or ends before it responds
 */
function callThread(
  thread: Worker,
  request: MessageToThread,
  onProgress: (progress: PartProgress) => void = () => undefined,
): Promise<Exclude<MessageFromThread, { kind: 'progress' }>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      finish();
    };
    const onMessage = (message: MessageFromThread): void => {
      if (message.kind === 'progress') onProgress(message.progress);
      else settle(() => resolve(message));
    };
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (): void => onError(new Error('The reading thread has ended'));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(request);
  });
}
