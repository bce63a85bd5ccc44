import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { jobs } from '../../../libs/contracts/dist/registry.js';
import { redisOptions } from '../../../libs/messaging/dist/jobs/redis-options.js';
import { tlsFilesOf } from '../../../libs/persistence/dist/connections/tls-env.js';
import { formatTable } from '../format-table.mjs';

const STATES = ['wait', 'active', 'delayed', 'completed', 'failed'];

/**
 * Counts the jobs of each queue by state.
 * @param {NodeJS.ProcessEnv} env of a service
 */
export async function inspectQueues(env) {
  const names = [...new Set([...jobs.map(({ queue }) => queue), ...(await findFleetQueues(env))])].sort();
  const rows = await Promise.all(names.map(async (name) => [name, ...(await countJobs(name, env))]));
  return formatTable(['QUEUE', ...STATES.map((state) => state.toUpperCase())], rows);
}

/**
 * The queues of dispatches, one for each fleet of workers.
 * @param {NodeJS.ProcessEnv} env
 */
async function findFleetQueues(env) {
  const redis = new Redis(redisOptions(env.REDIS_URL ?? '', tlsFilesOf(env, 'REDIS')));
  try {
    // Page by page, because a list of all keys would block Redis.
    const pages = await Array.fromAsync(redis.scanStream({ match: 'bull:subjobs-*:meta', count: 1_000 }));
    return pages.flat().map((key) => String(key).split(':')[1] ?? '');
  } finally {
    redis.disconnect();
  }
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
async function countJobs(name, env) {
  const queue = new Queue(name, { connection: redisOptions(env.REDIS_URL ?? '', tlsFilesOf(env, 'REDIS')) });
  try {
    const counts = await queue.getJobCounts(...STATES);
    return STATES.map((state) => counts[state] ?? 0);
  } finally {
    await queue.close();
  }
}
