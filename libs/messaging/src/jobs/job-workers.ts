import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { DelayedError, Worker, type Job } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { redisOptions } from './redis-options.js';
import { RetryLaterError } from './retry-later-error.js';

/** A job whose process was killed is noticed within this and half of it more; BullMQ's own 30 s would be a minute. */
const LOCK_MS = 8_000;

/** Runs the methods that `@Processes` marks, one BullMQ worker a job type. */
@Injectable()
export class JobWorkers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly workers: Worker[] = [];

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  start(job: JobType, process: (payload: unknown) => Promise<void>): void {
    const worker = new Worker(
      job.queue,
      (queued, token) => work(queued, token, () => process(job.payload.parse(queued.data))),
      {
        connection: redisOptions(this.options.redisUrl),
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS / 2,
        concurrency: this.options.concurrency?.[job.name] ?? job.concurrency,
        // A job whose worker vanishes is handed out again, as often as it may be tried in all.
        maxStalledCount: job.attempts - 1,
      },
    );
    worker.on('error', (error) => this.logger.warn(`Queue ${job.queue}: ${error.message}`));
    worker.on('failed', (failed, error) =>
      this.logger.error({ message: `Job ${job.name} failed`, job: failed?.id, error }),
    );
    this.workers.push(worker);
  }

  /** Takes no more jobs, and waits for those under way. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }
}

async function work(queued: Job, token: string | undefined, process: () => Promise<void>): Promise<void> {
  try {
    await process();
  } catch (error) {
    if (!(error instanceof RetryLaterError)) throw error;
    await queued.moveToDelayed(Date.now() + error.delayMs, token);
    throw new DelayedError();
  }
}
