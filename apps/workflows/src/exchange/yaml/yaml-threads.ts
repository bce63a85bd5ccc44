import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { runYamlTask, type YamlResult, type YamlTask } from './yaml-task.js';

/** Up to this the event loop does it: forty milliseconds at worst, half of what a thread takes to start. */
const MAX_INLINE_CHARACTERS = { read: 4 * 1024, write: 16 * 1024 };
const MAX_THREADS = 2;
/** Each holds a text of up to 42 MB. */
const MAX_WAITING = 16;
/** Together less than the thirty seconds of a request. */
const QUEUE_TIMEOUT_MS = 15_000;
const THREAD_TIMEOUT_MS = 10_000;
/** Twice what the most tokens that are read take. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };
/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const PROGRAM = new URL('../../../dist/exchange/yaml/yaml.thread.js', import.meta.url);

/**
 * Reads and writes YAML that is not small in threads of its own, of which a text can end nothing but itself: `yaml` takes
 * half a second and 70 MB a megabyte, and gigabytes for some.
 */
@Injectable()
export class YamlThreads implements OnModuleDestroy {
  private readonly threads = new Set<Worker>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly deadlineMs = THREAD_TIMEOUT_MS) {}

  /**
   * @param field of the request that holds the text, for its errors
   * @throws ValidationError, ApiError `payload_too_large`, `rate_limited`
   */
  async read(text: string, field: string): Promise<unknown> {
    const answer = await this.work({ kind: 'read', text }, field);
    if ('text' in answer) return JSON.parse(answer.text);
    throw new ValidationError({ [field]: answer.problem, ...answer.at }, 'The YAML cannot be read');
  }

  /** @param json of the value @returns null where it takes too much, and JSON has to do */
  async write(json: string): Promise<string | null> {
    const answer = await this.work({ kind: 'write', text: json }, '').catch(() => null);
    return answer && 'text' in answer ? answer.text : null;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  private async work(task: YamlTask, field: string): Promise<YamlResult> {
    if (task.text.length <= MAX_INLINE_CHARACTERS[task.kind]) return runYamlTask(task);
    await this.enter();
    try {
      return await this.runThread(task, field);
    } finally {
      this.leave();
    }
  }

  /** A place that is left goes straight to who waited longest. */
  private async enter(): Promise<void> {
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

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }

  private async runThread(task: YamlTask, field: string): Promise<YamlResult> {
    const thread = new Worker(PROGRAM, { workerData: task, resourceLimits: THREAD_LIMITS, execArgv: [], env: {} });
    this.threads.add(thread);
    const timer = setTimeout(() => void thread.terminate(), this.deadlineMs);
    try {
      return await new Promise<YamlResult>((resolve, reject) => {
        thread.once('message', resolve);
        // Out of memory, or ended: by its deadline or with the service.
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
  new ApiError('rate_limited', 'Too many YAML files are being read; try again in a few seconds, or send JSON');

const explainThreadError = (error: NodeJS.ErrnoException, field: string): Error =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? newTooLargeError(field) : error;

const newTooLargeError = (field: string): ApiError =>
  new ApiError('payload_too_large', 'The YAML takes too long or too much memory to read', {
    [field]: 'is too large for YAML; JSON of the same size can be read',
  });
