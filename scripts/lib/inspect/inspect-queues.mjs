import { Queue } from 'bullmq';
import { jobs } from '../../../libs/contracts/dist/registry.js';
import { redisOptions } from '../../../libs/messaging/dist/jobs/redis-options.js';
import { formatTable } from '../format-table.mjs';

const STATES = ['wait', 'active', 'delayed', 'completed', 'failed'];

/**
 * Counts the jobs of each queue by state.
 * @param {string} redisUrl
 */
export async function inspectQueues(redisUrl) {
  const names = [...new Set([...jobs.map(({ queue }) => queue), ...(await findFleetQueues(redisUrl))])].sort();
  const rows = await Promise.all(names.map(async (name) => [name, ...(await countJobs(name, redisUrl))]));
  return formatTable(['QUEUE', ...STATES.map((state) => state.toUpperCase())], rows);
}

/**
 * The queues of dispatches, one for each fleet of workers.
 * @param {string} redisUrl
 */
async function findFleetQueues(redisUrl) {
  const queue = new Queue('health', { connection: redisOptions(redisUrl) });
  try {
    const client = await queue.client;
    const keys = await client.keys('bull:subjobs-*:meta');
    return keys.map((key) => key.split(':')[1] ?? '');
  } finally {
    await queue.close();
  }
}

/**
 * @param {string} name
 * @param {string} redisUrl
 */
async function countJobs(name, redisUrl) {
  const queue = new Queue(name, { connection: redisOptions(redisUrl) });
  try {
    const counts = await queue.getJobCounts(...STATES);
    return STATES.map((state) => counts[state] ?? 0);
  } finally {
    await queue.close();
  }
}
