import { Queue } from 'bullmq';
import type { JobType } from '@millrace/contracts/kit/job';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';

/** Starts the next attempt of all waiting jobs of a type at once. @returns the number of jobs */
export async function promoteRetries(job: JobType, redisUrl: string): Promise<number> {
  const queue = new Queue(job.queue, { connection: redisOptions(redisUrl) });
  try {
    // Individually: `promoteJobs` would also promote jobs that start to wait after the count.
    const waiting = await queue.getDelayed();
    const promoted = await Promise.allSettled(waiting.map((one) => one.promote()));
    return promoted.filter(({ status }) => status === 'fulfilled').length;
  } finally {
    await queue.close();
  }
}
