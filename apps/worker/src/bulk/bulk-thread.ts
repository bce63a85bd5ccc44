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

/** The built file, also under Jest, which runs `src`: a thread needs JavaScript. */
const PROGRAM = new URL('../../dist/bulk/bulk.thread.js', import.meta.url);
/** About 400 bytes for each of 100,000 files, several times. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };
/** A thread uses about 10 MB, and takes 50 ms to start. */
const IDLE_TIMEOUT_MS = 30_000;
/** Files in one response: reading a thousand takes about 3 ms. */
const FILES_PER_RESPONSE = 1_000;

/**
 * Does work that grows with a user's data outside of the event loop: lays out folders, stores outputs, empties folders. Each
 * slot has one, so that the system shares the processors among slots, and one user's 100,000 files do not delay others. The
 * thread starts with the first request, and ends after a while without requests.
 */
export class BulkThread {
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /** @param cache folder for local copies of objects in a remote store */
  constructor(
    private readonly storage: StorageEnv,
    private readonly cache: string,
  ) {}

  /** @param isReadOnly whether the command cannot write to the folder */
  async beginLayout(folder: string, isReadOnly: boolean): Promise<void> {
    await this.request({ kind: 'beginLayout', folder, isReadOnly });
  }

  /** Lays out more entries in the folder of `beginLayout`. */
  async layOut(entries: readonly InputEntry[]): Promise<void> {
    await this.request({ kind: 'layOut', entries });
  }

  /** Runs `collectOutputs` in the thread. @throws StepFailedError; the reason of `signal` */
  async collect(folder: string, commandPath: string, maxBytes: number, signal: AbortSignal): Promise<Outputs> {
    const summary = await this.request({ kind: 'collect', folder, commandPath, maxBytes }, signal);
    const files: FileRef[] = [];
    for (;;) {
      const more = await this.request({ kind: 'nextFiles', limit: FILES_PER_RESPONSE });
      if (more.length === 0) return { files, ...summary };
      files.push(...more);
    }
  }

  /** Moves a file from `path` into the store. @throws NotARegularFileError; the reason of `signal` */
  async adopt(path: string, signal: AbortSignal): Promise<StoredObject> {
    try {
      return await this.request({ kind: 'adopt', path }, signal);
    } catch (error) {
      throw error instanceof Error && error.name === 'NotARegularFileError' ? new NotARegularFileError(path) : error;
    }
  }

  /** Runs `wipeFolder` in the thread. */
  wipe(folder: string, retained: readonly string[]): Promise<string[]> {
    return this.request({ kind: 'wipe', folder, retained });
  }

  /** Fails the current request, and refuses further ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.thread?.terminate();
  }

  /** Sends requests one at a time, in order. */
  private request<R extends BulkRequest>(request: R, signal?: AbortSignal): Promise<BulkResults[R['kind']]> {
    const result = this.last.then(() => this.send(request, signal));
    this.last = result.catch(() => undefined);
    return result as Promise<BulkResults[R['kind']]>;
  }

  private async send(request: BulkRequest, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.isClosed) throw new Error('The bulk thread is closed.');
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const abort = () => post(thread, { abort: true });
    signal?.addEventListener('abort', abort);
    try {
      return readResponse(await exchange(thread, request));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      if (!this.isClosed) this.idle = setTimeout(() => this.end(), IDLE_TIMEOUT_MS).unref();
    }
  }

  private start(): Worker {
    const workerData: BulkThreadData = { storage: pickStorageEnv(this.storage), cache: this.cache };
    const thread = new Worker(PROGRAM, { workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [], env: {} });
    const forget = () => {
      if (this.thread === thread) this.thread = null;
    };
    // It fails the current request; without one it must not end the worker.
    return thread.on('error', forget).on('exit', forget);
  }

  private end(): void {
    void this.thread?.terminate();
    this.thread = null;
  }
}

const post = (thread: Worker, message: BulkMessage): void => thread.postMessage(message);

/** @throws if the thread ends without a response */
function exchange(thread: Worker, request: BulkRequest): Promise<BulkResponse> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      thread.off('message', receive).off('error', fail).off('exit', end);
      finish();
    };
    const receive = (response: BulkResponse): void => settle(() => resolve(response));
    const fail = (error: Error): void => settle(() => reject(error));
    const end = (): void => fail(new Error('The bulk thread has exited.'));
    thread.on('message', receive).on('error', fail).on('exit', end);
    post(thread, { request });
  });
}

function readResponse(response: BulkResponse): unknown {
  if ('value' in response) return response.value;
  const { name, message, stack } = response.error;
  if (name === 'StepFailedError') throw new StepFailedError(message);
  throw Object.assign(new Error(message), { name, ...(stack !== undefined && { stack }) });
}
