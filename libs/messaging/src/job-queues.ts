import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type BulkJobOptions } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import type { JobOptions } from '@millrace/persistence/outbox';
import { MESSAGING_OPTIONS, type MessagingOptions } from './options.js';
import { redisOptions } from './redis.js';

export interface QueuedJob {
  job: JobType;
  /** Id in the queue; the same id is not queued twice at a time. */
  id: string;
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
        group.map(({ job, id, payload, options }) => ({
          name: job.name,
          data: payload,
          opts: toOptions(job, id, options),
        })),
      );
    }
  }

  /** Which of these jobs the queue still knows, in whatever state. */
  async known(job: JobType, ids: string[]): Promise<Set<string>> {
    const queue = this.queue(job.queue);
    const states = await Promise.all(ids.map(async (id) => [id, await queue.getJobState(id)] as const));
    return new Set(states.filter(([, state]) => state !== 'unknown').map(([id]) => id));
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

function toOptions(job: JobType, id: string, options: JobOptions): BulkJobOptions {
  return {
    jobId: id,
    attempts: job.attempts,
    backoff: { type: 'exponential', delay: job.backoffMs },
    removeOnComplete: true,
    removeOnFail: true,
    ...(options.delayMs !== undefined && { delay: options.delayMs }),
  };
}
