import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type BulkJobOptions } from 'bullmq';
import type { Backlog } from '@millrace/contracts/kit/health';
import type { JobType } from '@millrace/contracts/kit/job';
import type { OutboxOptions } from '@millrace/persistence/outbox';
import { encodeCause } from '../tracing/cause.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { redisOptions } from './redis-options.js';

/**
 * Retention of finished jobs, so that a job that is relayed twice is processed once. A job with an explicit id is
 * removed at once, because its id may be enqueued again.
 */
const FINISHED_JOB_RETENTION = { age: 3_600, count: 10_000 };
const FINISHED_STATES = ['unknown', 'completed', 'failed'];

export interface QueuedJob {
  job: JobType;
  /** Id of its outbox entry, which is the job id unless the options have one. */
  outboxId: string;
  payload: unknown;
  options: OutboxOptions;
}

/** Adds jobs to their BullMQ queues. Only the outbox relay calls it; other code uses `tx.enqueue`. */
@Injectable()
export class JobQueues implements OnApplicationShutdown {
  private readonly queues = new Map<string, Queue>();

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  async add(jobs: QueuedJob[]): Promise<void> {
    for (const [name, group] of Map.groupBy(jobs, ({ job, options }) => options.queue ?? job.queue)) {
      await this.queue(name).addBulk(
        group.map(({ job, outboxId, payload, options }) => ({
          name: job.name,
          data: payload,
          opts: toBullOptions(job, outboxId, options),
        })),
      );
    }
  }

  /** @returns the subset of `ids` whose jobs are waiting or active */
  async findUnfinished(job: JobType, ids: string[], name = job.queue): Promise<Set<string>> {
    const queue = this.queue(name);
    const states = await Promise.all(ids.map(async (id) => [id, await queue.getJobState(id)] as const));
    return new Set(states.filter(([, state]) => !FINISHED_STATES.includes(state)).map(([id]) => id));
  }

  /** Counts the jobs of a queue by state. */
  async readBacklog(name: string): Promise<Backlog['queues'][string]> {
    const queue = this.queue(name);
    const [counts, [oldest]] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
      queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
    ]);
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
    const oldestSeconds = oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1000 : 0;
    return { waiting: waiting + prioritized, active, delayed, failed, oldestSeconds };
  }

  /** Removes jobs that no worker processes at this moment. @returns the subset of `ids` that are no longer in the queue */
  async remove(ids: string[], name: string): Promise<Set<string>> {
    const queue = this.queue(name);
    const removed = await Promise.all(ids.map(async (id) => [id, await queue.remove(id)] as const));
    return new Set(removed.filter(([, count]) => count === 1).map(([id]) => id));
  }

  /** Fails or hangs while Redis cannot be reached. */
  async ping(): Promise<void> {
    await this.queue('health').count();
  }

  private queue(name: string): Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(name, { connection: redisOptions(this.options.redisUrl, this.options.redisTls) });
      // BullMQ reconnects automatically; without a listener, a connection error would end the process.
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}

function toBullOptions(job: JobType, outboxId: string, options: OutboxOptions): BulkJobOptions {
  const cause = encodeCause(options);
  const removal = options.id === undefined ? FINISHED_JOB_RETENTION : true;
  return {
    jobId: options.id ?? outboxId,
    attempts: job.attempts,
    backoff: { type: 'exponential', delay: job.backoffMs },
    removeOnComplete: removal,
    removeOnFail: removal,
    ...(options.delayMs !== undefined && { delay: options.delayMs }),
    ...(cause !== undefined && { telemetry: { metadata: cause } }),
  };
}
