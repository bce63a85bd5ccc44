import { Worker } from 'node:worker_threads';
import { type FileRef } from '@millrace/contracts/runs/files';
import { NotARegularFileError, type StoredObject } from '@millrace/storage/object-store';
import { pickStorageEnv, type StorageEnv } from '@millrace/storage/settings/storage-env';
import { type InputEntry } from '../inputs/input-list.js';
import { type Outputs } from '../outputs/collect-outputs.js';
import { StepFailedError } from '../steps/step-failed-error.js';
import {
  type BulkResponse,
  type BulkMessage,
  type BulkRequest,
  type BulkResults,
  type BulkThreadData,
} from './bulk-request.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const PROGRAM = new URL('../../dist/bulk/bulk.thread.js', import.meta.url);
/** Some 400 bytes for each of 100,000 files, several times over. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
/** A thread takes some 10 MB, and 50 ms to start. */
const IDLE_MS = 30_000;
/** Files in one answer: reading a thousand takes some 3 ms. */
const FILES_PER_RESPONSE = 1_000;

/**
 * Does what grows with a user's data outside of the event loop: lays out folders, stores outputs, empties folders. Each
 * slot has one, so that the system shares the processors among slots, and nobody's hundred thousand files hold up others.
 * The thread starts when there is something to do, and ends when there has been nothing for a while.
 */
export class BulkThread {
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /** @param cache folder for nearby copies of a store that is elsewhere */
  constructor(
    private readonly storage: StorageEnv,
    private readonly cache: string,
  ) {}

  /** @param isReadOnly whether the command cannot write to what is laid out */
  async beginLayout(folder: string, isReadOnly: boolean): Promise<void> {
    await this.order({ kind: 'beginLayout', folder, isReadOnly });
  }

  /** Lays out some more entries in the folder of `beginLayout`. */
  async layOut(entries: readonly InputEntry[]): Promise<void> {
    await this.order({ kind: 'layOut', entries });
  }

  /** `collectOutputs`, whatever there is. @throws StepFailedError; the reason of `signal` */
  async collect(folder: string, commandPath: string, maxBytes: number, signal: AbortSignal): Promise<Outputs> {
    const outcome = await this.order({ kind: 'collect', folder, commandPath, maxBytes }, signal);
    const files: FileRef[] = [];
    for (;;) {
      const more = await this.order({ kind: 'nextFiles', limit: FILES_PER_RESPONSE });
      if (more.length === 0) return { files, ...outcome };
      files.push(...more);
    }
  }

  /** Stores a file and takes it from `path`. @throws NotARegularFileError; the reason of `signal` */
  async adopt(path: string, signal: AbortSignal): Promise<StoredObject> {
    try {
      return await this.order({ kind: 'adopt', path }, signal);
    } catch (error) {
      throw error instanceof Error && error.name === 'NotARegularFileError' ? new NotARegularFileError(path) : error;
    }
  }

  /** `wipeFolder`, whatever there is. */
  wipe(folder: string, keep: readonly string[]): Promise<string[]> {
    return this.order({ kind: 'wipe', folder, keep });
  }

  /** Ends what is under way, with an error, and takes nothing more. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.thread?.terminate();
  }

  /** Orders wait for each other. */
  private order<O extends BulkRequest>(order: O, signal?: AbortSignal): Promise<BulkResults[O['kind']]> {
    const result = this.last.then(() => this.send(order, signal));
    this.last = result.catch(() => undefined);
    return result as Promise<BulkResults[O['kind']]>;
  }

  private async send(order: BulkRequest, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.isClosed) throw new Error('The bulk thread is closed.');
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const abort = () => post(thread, { abort: true });
    signal?.addEventListener('abort', abort);
    try {
      return readResponse(await exchange(thread, order));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      if (!this.isClosed) this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  private start(): Worker {
    const workerData: BulkThreadData = { storage: pickStorageEnv(this.storage), cache: this.cache };
    const thread = new Worker(PROGRAM, { workerData, resourceLimits: LIMITS, execArgv: [], env: {} });
    const forget = () => {
      if (this.thread === thread) this.thread = null;
    };
    // An order that is under way fails by it; without one it must not end the worker.
    return thread.on('error', forget).on('exit', forget);
  }

  private end(): void {
    void this.thread?.terminate();
    this.thread = null;
  }
}

const post = (thread: Worker, message: BulkMessage): void => thread.postMessage(message);

/** @throws if the thread ends without an answer */
function exchange(thread: Worker, order: BulkRequest): Promise<BulkResponse> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      thread.off('message', take).off('error', fail).off('exit', end);
      finish();
    };
    const take = (answer: BulkResponse): void => settle(() => resolve(answer));
    const fail = (error: Error): void => settle(() => reject(error));
    const end = (): void => fail(new Error('The bulk thread has exited.'));
    thread.on('message', take).on('error', fail).on('exit', end);
    post(thread, { order });
  });
}

function readResponse(answer: BulkResponse): unknown {
  if ('value' in answer) return answer.value;
  const { name, message, stack } = answer.error;
  if (name === 'StepFailedError') throw new StepFailedError(message);
  throw Object.assign(new Error(message), { name, ...(stack !== undefined && { stack }) });
}
