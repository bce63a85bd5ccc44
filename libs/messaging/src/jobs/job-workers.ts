import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { DelayedError, type Job, Worker } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { decodeCause } from '../tracing/cause.js';
import { handleWork } from '../tracing/handle-work.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { RetryLaterError } from './job-errors.js';
import { redisOptions } from './redis-options.js';

/**
 * Lock duration: the job of a killed process is detected after 1.5 times this. The default of BullMQ, 30 s, would take
 * a minute.
 */
const LOCK_DURATION_MS = 8_000;

/** Runs the methods marked by `@JobProcessor`, with one BullMQ worker per job type. */
@Injectable()
export class JobWorkers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly workers: Worker[] = [];

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  start(job: JobType, process: (payload: unknown) => Promise<void>): void {
    const queue = this.options.queues?.[job.name] ?? job.queue;
    const worker = new Worker(
      queue,
      (queued, token) => {
        const cause = decodeCause(queued.opts.telemetry?.metadata);
        const work = { kind: 'job' as const, name: job.name, cause, fields: { jobId: queued.id } };
        return processOrDelay(queued, token, () =>
          handleWork(this.logger, work, () => process(job.payload.parse(queued.data))),
        );
      },
      {
        connection: redisOptions(this.options.redisUrl),
        lockDuration: LOCK_DURATION_MS,
        stalledInterval: LOCK_DURATION_MS / 2,
        concurrency: this.options.concurrency?.[job.name] ?? job.concurrency,
        // A job whose worker vanishes is processed again, up to its maximum number of attempts.
        maxStalledCount: job.attempts - 1,
      },
    );
    worker.on('error', (error) => this.logger.warn({ message: 'Job queue error', queue, error }));
    worker.on('failed', (failed, error) =>
      this.logger.error({
        message: 'Job failed',
        requestId: decodeCause(failed?.opts.telemetry?.metadata).requestId,
        job: job.name,
        jobId: failed?.id,
        error,
      }),
    );
    this.workers.push(worker);
  }

  /** Fetches no more jobs until `resume`. A job that is being fetched at this moment is still processed. */
  async pause(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
  }

  async resume(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.resume()));
  }

  /** Fetches no more jobs, and waits for the active ones. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }
}

async function processOrDelay(queued: Job, token: string | undefined, process: () => Promise<void>): Promise<void> {
  try {
    await process();
  } catch (error) {
    if (!(error instanceof RetryLaterError)) throw error;
    await queued.moveToDelayed(Date.now() + error.delayMs, token);
    throw new DelayedError();
  }
}
