import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { FieldToLocate } from './locate-fields.js';
import type { Place } from './read-yaml.js';
import { runYamlTask, type YamlResult, type YamlTask } from './yaml-task.js';

/** Shorter texts are processed on the event loop: 40 ms at worst, half the start of a thread. */
const MAX_INLINE_CHARACTERS = { read: 4 * 1024, write: 16 * 1024, locate: 4 * 1024 };
const MAX_THREADS = 2;
/** Each queued task contains a text of up to 42 MB. */
const MAX_WAITING = 16;
/** Together less than the 30 seconds of a request. */
const QUEUE_TIMEOUT_MS = 15_000;
const THREAD_TIMEOUT_MS = 10_000;
/** Twice the memory that the maximum number of tokens takes. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };
/** The same path from `src`, where Jest runs, and from `dist`; a thread needs JavaScript. */
const PROGRAM = new URL('../../../dist/exchange/yaml/yaml.thread.js', import.meta.url);

/**
 * Reads and writes all but small YAML texts in threads, so that a hostile text can only end its own thread. The `yaml`
 * library takes half a second and 70 MB per megabyte of text, and gigabytes for some texts.
 */
@Injectable()
export class YamlThreads implements OnModuleDestroy {
  private readonly threads = new Set<Worker>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly timeoutMs = THREAD_TIMEOUT_MS) {}

  /** @param field the request field that contains the text, for error messages
   * @throws ValidationError, ApiError `payload_too_large`, `rate_limited`
   */
  async read(text: string, field: string): Promise<unknown> {
    const result = await this.work({ kind: 'read', text }, field);
    if ('text' in result) return JSON.parse(result.text);
    throw new ValidationError({ [field]: result.problem, ...result.at }, 'The YAML cannot be read.');
  }

  /** @param json the value as JSON @returns null if it takes too long or too much memory; the caller then uses JSON */
  async write(json: string): Promise<string | null> {
    const result = await this.work({ kind: 'write', text: json }, '').catch(() => null);
    return result && 'text' in result ? result.text : null;
  }

  /**
   * @param text a workflow file that `read` has accepted
   * @returns the position of each field of `data`, or null; all are null if it takes too long or too much memory
   */
  async locate(text: string, fields: readonly FieldToLocate[]): Promise<(Place | null)[]> {
    const result = await this.work({ kind: 'locate', text, fields }, '').catch(() => null);
    return result && 'text' in result ? (JSON.parse(result.text) as (Place | null)[]) : fields.map(() => null);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  private async work(task: YamlTask, field: string): Promise<YamlResult> {
    if (task.text.length <= MAX_INLINE_CHARACTERS[task.kind]) return runYamlTask(task);
    await this.acquire();
    try {
      return await this.runThread(task, field);
    } finally {
      this.release();
    }
  }

  /** A released slot goes directly to the task that has waited longest. */
  private async acquire(): Promise<void> {
    if (this.running < MAX_THREADS) return void this.running++;
    if (this.waiting.length >= MAX_WAITING) throw newBusyError();
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        reject(newBusyError());
      }, QUEUE_TIMEOUT_MS);
      this.waiting.push(go);
    });
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }

  private async runThread(task: YamlTask, field: string): Promise<YamlResult> {
    const thread = new Worker(PROGRAM, { workerData: task, resourceLimits: THREAD_LIMITS, execArgv: [], env: {} });
    this.threads.add(thread);
    const timer = setTimeout(() => void thread.terminate(), this.timeoutMs);
    try {
      return await new Promise<YamlResult>((resolve, reject) => {
        thread.once('message', resolve);
        // Out of memory, or terminated: by the timeout or because the service shuts down.
        thread.once('error', (error: NodeJS.ErrnoException) => reject(explainThreadError(error, field)));
        thread.once('exit', () => reject(newTooLargeError(field)));
      });
    } finally {
      clearTimeout(timer);
      this.threads.delete(thread);
      await thread.terminate();
    }
  }
}

const newBusyError = (): ApiError =>
  new ApiError('rate_limited', 'Too many YAML files are being processed. Try again in a few seconds, or send JSON.');

const explainThreadError = (error: NodeJS.ErrnoException, field: string): Error =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? newTooLargeError(field) : error;

const newTooLargeError = (field: string): ApiError =>
  new ApiError('payload_too_large', 'The YAML takes too long or too much memory to read.', {
    [field]: 'is too large for YAML; send the same document as JSON',
  });
