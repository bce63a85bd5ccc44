import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { DeadLetters } from '../dead-letters/dead-letters.js';
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
/**
 * How long a worker waits for the notification of a job before it looks for one. Only a Redis that lost data loses
 * notifications, so this limits a delay that is rare, and looking is a part of what an idle system does.
 */
const MAX_WAIT_SECONDS = 10;
/** How long a job waits that failed for good but could not be stored as a dead letter. */
const UNSTORED_RETRY_MS = 30_000;

/** Runs the methods marked by `@JobProcessor`, with one BullMQ worker per job type. */
@Injectable()
export class JobWorkers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobWorkers.name);
  private readonly workers: Worker[] = [];

  /** @param deadLetters absent in the worker, which has no database: the engine retries its dispatches */
  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Optional() private readonly deadLetters?: DeadLetters,
  ) {}

  start(job: JobType, process: (payload: unknown) => Promise<void>): void {
    const queue = this.options.queues?.[job.name] ?? job.queue;
    const worker = new Worker(
      queue,
      (queued, token) => {
        const cause = decodeCause(queued.opts.telemetry?.metadata);
        const work = { kind: 'job' as const, name: job.name, cause, fields: { jobId: queued.id } };
        return processOrDelay(queued, token, () =>
          this.storeIfDead(job, queued, () =>
            handleWork(this.logger, work, () => process(job.payload.parse(queued.data))),
          ),
        );
      },
      {
        connection: redisOptions(this.options.redisUrl, this.options.redisTls),
        lockDuration: LOCK_DURATION_MS,
        stalledInterval: LOCK_DURATION_MS / 2,
        drainDelay: MAX_WAIT_SECONDS,
        concurrency: this.options.concurrency?.[job.name] ?? job.concurrency,
        // A job whose worker vanishes is processed again, up to its maximum number of attempts.
        maxStalledCount: job.attempts - 1,
      },
    );
    worker.on('error', (error) => this.logger.warn({ message: 'Job queue error', queue, error }));
    worker.on('failed', (failed, error) => {
      const { requestId } = decodeCause(failed?.opts.telemetry?.metadata);
      this.logger.error({ message: 'Job failed', requestId, job: job.name, jobId: failed?.id, error });
      // Its worker vanished too often, so nothing has thrown.
      if (failed && error.message.includes('stalled more than')) void this.store(job, failed, error);
    });
    this.workers.push(worker);
  }

  /** Fetches no more jobs until `resume`. A job that is being fetched at this moment is still processed. */
  async pause(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
  }

  async resume(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.resume()));
  }

  /** Stores a job whose last attempt fails, before BullMQ removes it. If it cannot be stored, the attempt is repeated later. */
  private async storeIfDead(job: JobType, queued: Job, process: () => Promise<void>): Promise<void> {
    try {
      await process();
    } catch (error) {
      if (!this.deadLetters || error instanceof RetryLaterError || !isLastAttempt(queued, error)) throw error;
      if (!(await this.store(job, queued, error))) throw new RetryLaterError(UNSTORED_RETRY_MS);
      throw error;
    }
  }

  private async store(job: JobType, { id, data, opts, attemptsMade }: Job, error: unknown): Promise<boolean> {
    // A job without an id of its own has that of its outbox entry; the next one gets another.
    const options = { ...(opts.removeOnFail === true && { id }), ...decodeCause(opts.telemetry?.metadata) };
    const letter = {
      kind: 'job',
      name: job.name,
      queue: job.queue,
      message: id ?? '',
      payload: data as unknown,
    } as const;
    try {
      await this.deadLetters?.record({ ...letter, options, error, attempts: attemptsMade + 1 });
      return true;
    } catch (failure) {
      this.logger.warn({ message: 'Storing a dead job failed', job: job.name, jobId: id, error: failure });
      return false;
    }
  }

  /** Fetches no more jobs, and waits for the active ones. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }
}

const isLastAttempt = ({ attemptsMade, opts }: Job, error: unknown): boolean =>
  error instanceof UnrecoverableError || attemptsMade + 1 >= (opts.attempts ?? 1);

async function processOrDelay(queued: Job, token: string | undefined, process: () => Promise<void>): Promise<void> {
  try {
    await process();
  } catch (error) {
    if (!(error instanceof RetryLaterError)) throw error;
    await queued.moveToDelayed(Date.now() + error.delayMs, token);
    throw new DelayedError();
  }
}
