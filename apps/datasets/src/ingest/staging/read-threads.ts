import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { pickStorageEnv } from '@millrace/storage/storage-env';
import { DATASETS_ENV, toLoadLimits, type DatasetsEnv } from '../../env.js';
import { PermanentLoadError } from '../loads/load-guard.js';
import type { BatchResult, BatchTask, PartProgress } from './read-batch.js';
import type { ThreadData, MessageFromThread, MessageToThread } from './read-batch.thread.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const THREAD_FILE = new URL('../../../dist/ingest/staging/read-batch.thread.js', import.meta.url);
/** Many times what the longest rows take that are held at once. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };
/** A thread takes 300 ms to start, so one that has nothing to do is kept for a while. */
const IDLE_TIMEOUT_MS = 30_000;

interface BatchHandlers {
  /** Nobody wants what is read any more. */
  signal: AbortSignal;
  onProgress: (progress: PartProgress) => void;
  /** Writes down what was read; not called where somebody else has read it. */
  saveResult: (result: BatchResult) => Promise<void>;
}

/** Reads batches in threads of their own, beside which the service goes on answering. */
@Injectable()
export class ReadThreads implements OnModuleDestroy {
  private readonly busy = new Set<Worker>();
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  constructor(@Inject(DATASETS_ENV) private readonly env: DatasetsEnv) {}

  /** Reads a batch. Nobody else can as long as it is noted. @throws what the thread failed with */
  async read(task: BatchTask, { signal, onProgress, saveResult }: BatchHandlers): Promise<void> {
    const thread = this.acquire();
    const end = () => void thread.terminate();
    signal.addEventListener('abort', end);
    try {
      const answer = await callThread(thread, { kind: 'read', task }, onProgress);
      if (answer.kind === 'refused') throw new PermanentLoadError(answer.reason);
      if (answer.kind === 'read' && answer.result) await saveResult(answer.result);
      await callThread(thread, { kind: 'noted' });
      this.release(thread);
    } catch (error) {
      await thread.terminate();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
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
      databaseUrl: this.env.DATABASE_URL,
      storage: pickStorageEnv(this.env),
      limits: toLoadLimits(this.env),
    };
    const thread = new Worker(THREAD_FILE, { workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [], env: {} });
    // Whoever waits for it hears of it, too; where nobody does it must not end the service.
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

/** What a thread answers to an order, but for how far it is. @throws where it fails, or ends without an answer */
function callThread(
  thread: Worker,
  order: MessageToThread,
  tell: (progress: PartProgress) => void = () => undefined,
): Promise<Exclude<MessageFromThread, { kind: 'progress' }>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      thread.off('message', hear).off('error', fail).off('exit', end);
      finish();
    };
    const hear = (message: MessageFromThread): void => {
      if (message.kind === 'progress') tell(message.progress);
      else settle(() => resolve(message));
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const end = (): void => fail(new Error('the reading thread has ended'));
    thread.on('message', hear).on('error', fail).on('exit', end);
    thread.postMessage(order);
  });
}
