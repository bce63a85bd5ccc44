import { Queue } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';

/** Lets the jobs of a kind that wait for their next try have it at once; gives how many it were. */
export async function retryNow(job: JobType, redisUrl: string): Promise<number> {
  const queue = new Queue(job.queue, { connection: redisOptions(redisUrl) });
  try {
    // One by one: what begins to wait between counting all and promoting all would be promoted and not counted.
    const waiting = await queue.getDelayed();
    const promoted = await Promise.allSettled(waiting.map((one) => one.promote()));
    return promoted.filter(({ status }) => status === 'fulfilled').length;
  } finally {
    await queue.close();
  }
}
