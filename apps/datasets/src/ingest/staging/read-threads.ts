import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { storageEnv, type StorageEnv } from '@millrace/storage/storage-env';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import type { BatchResult, BatchTask, PartProgress } from './read-batch.js';
import type { ThreadData, ThreadMessage } from './read-batch.thread.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const PROGRAM = new URL('../../../dist/ingest/staging/read-batch.thread.js', import.meta.url);
/** Many times what the longest rows take that are held at once. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };

/** Reads batches in threads of their own, beside which the service goes on answering. */
@Injectable()
export class ReadThreads implements OnModuleDestroy {
  private readonly threads = new Set<Worker>();

  constructor(@Inject(DATASETS_ENV) private readonly env: DatasetsEnv) {}

  /**
   * Reads a batch. Nobody else can as long as `note` is at work.
   * @param note writes down what was read; not called where somebody else has read it
   */
  async read(
    task: BatchTask,
    { tell, note }: { tell: (progress: PartProgress) => void; note: (result: BatchResult) => Promise<void> },
  ): Promise<void> {
    const workerData: ThreadData = { task, databaseUrl: this.env.DATABASE_URL, storage: pickStorage(this.env) };
    const thread = new Worker(PROGRAM, { workerData, resourceLimits: LIMITS, execArgv: [], env: {} });
    this.threads.add(thread);
    try {
      const result = await resultOf(thread, tell);
      if (result) await note(result);
      thread.postMessage('noted');
    } finally {
      this.threads.delete(thread);
      await thread.terminate();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }
}

function resultOf(thread: Worker, tell: (progress: PartProgress) => void): Promise<BatchResult | null> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: ThreadMessage) => {
      if (message.kind === 'progress') tell(message.progress);
      else resolve(message.result);
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the reading thread has ended')));
  });
}

const pickStorage = (env: DatasetsEnv): StorageEnv =>
  Object.fromEntries(Object.keys(storageEnv.shape).map((key) => [key, env[key as keyof StorageEnv]])) as StorageEnv;
