import { Queue } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { redisOptions } from '@millrace/messaging/redis';

/** Lets the jobs of a kind that wait for their next try have it at once; gives how many were waiting. */
export async function retryNow(job: JobType, redisUrl: string): Promise<number> {
  const queue = new Queue(job.queue, { connection: redisOptions(redisUrl) });
  try {
    const waiting = await queue.getDelayedCount();
    await queue.promoteJobs();
    return waiting;
  } finally {
    await queue.close();
  }
}
