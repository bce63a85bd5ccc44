import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type BulkJobOptions } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import type { JobOptions } from '@millrace/persistence/outbox';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { redisOptions } from './redis-options.js';

/**
 * How long the queue knows a job that is over, so that one relayed twice is not done twice. A job with an id of its own is
 * forgotten at once, for the same id may be wanted again.
 */
const REMEMBER = { age: 3_600, count: 10_000 };
const OVER = ['unknown', 'completed', 'failed'];

export interface QueuedJob {
  job: JobType;
  /** Id of its outbox entry, under which it is queued where the options name none. */
  entry: string;
  payload: unknown;
  options: JobOptions;
}

/** Puts jobs into their BullMQ queues. Only the outbox relay adds; everything else goes through `tx.enqueue`. */
@Injectable()
export class JobQueues implements OnApplicationShutdown {
  private readonly queues = new Map<string, Queue>();

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  async add(jobs: QueuedJob[]): Promise<void> {
    for (const [name, group] of Map.groupBy(jobs, ({ job }) => job.queue)) {
      await this.queue(name).addBulk(
        group.map(({ job, entry, payload, options }) => ({
          name: job.name,
          data: payload,
          opts: toOptions(job, entry, options),
        })),
      );
    }
  }

  /** Which of these jobs the queue still has before it or in hand. */
  async known(job: JobType, ids: string[]): Promise<Set<string>> {
    const queue = this.queue(job.queue);
    const states = await Promise.all(ids.map(async (id) => [id, await queue.getJobState(id)] as const));
    return new Set(states.filter(([, state]) => !OVER.includes(state)).map(([id]) => id));
  }

  /** Fails, or does not return, while Redis cannot be reached. */
  async ping(): Promise<void> {
    await this.queue('health').count();
  }

  private queue(name: string): Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(name, { connection: redisOptions(this.options.redisUrl) });
      // Connection losses heal by themselves; without a listener they would end the process.
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}

function toOptions(job: JobType, entry: string, options: JobOptions): BulkJobOptions {
  const remove = options.id === undefined ? REMEMBER : true;
  return {
    jobId: options.id ?? entry,
    attempts: job.attempts,
    backoff: { type: 'exponential', delay: job.backoffMs },
    removeOnComplete: remove,
    removeOnFail: remove,
    ...(options.delayMs !== undefined && { delay: options.delayMs }),
  };
}
