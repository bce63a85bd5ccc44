import { RunWaiters } from './run-waiters.mjs';
import { CHAINS, executeStep, GATHER, PART_NAMES, runProcess, SORT, SPLIT } from './steps.mjs';

const QUEUE = 'steps';
/** Keeps the newest jobs only, as the guide "Going to production" recommends. */
const OPTIONS = { removeOnComplete: { count: 1_000 }, removeOnFail: { count: 1_000 }, failParentOnFailure: true };

/**
 * BullMQ: a run is a flow, in which each step is the parent of the step before.
 * @param {import('./app.mjs').EngineOptions} options
 * @returns {Promise<import('./app.mjs').Engine>}
 */
export async function start({ load, redis, concurrency }) {
  const { FlowProducer, Worker } = await load('bullmq');
  const connection = { url: redis, maxRetriesPerRequest: null };
  const flows = new FlowProducer({ connection });
  const waiters = new RunWaiters();

  const execute = async (/** @type {any} */ job) => {
    const { workload, folder, index, part } = job.data;
    switch (job.name) {
      case 'step': {
        const [value = 0] = index === 0 ? [] : Object.values(await job.getChildrenValues());
        return executeStep(workload, index, { folder, value });
      }
      case 'split':
        await runProcess(SPLIT, folder);
        return flows.add(defineGather(folder)).then(() => true);
      case 'sort':
        return runProcess(SORT(part), folder);
      default:
        return runProcess(GATHER, folder);
    }
  };
  const worker = new Worker(QUEUE, execute, { connection, concurrency });
  worker.on('completed', (/** @type {any} */ job, /** @type {any} */ result) => {
    if (job.data.isLast) waiters.finish(job.data.folder, result);
  });
  worker.on('failed', (/** @type {any} */ job, /** @type {Error} */ error) => waiters.fail(job?.data.folder, error));
  await worker.waitUntilReady();
  return {
    runChain: (workload, folder) => waiters.start(folder, () => flows.add(defineChain(workload, folder))),
    runParts: (folder) => waiters.start(folder, () => flows.add(defineJob('split', { folder }))),
  };
}

/**
 * @param {string} name
 * @param {object} data
 * @param {object[]} [children]
 */
const defineJob = (name, data, children = []) => ({ name, queueName: QUEUE, data, children, opts: OPTIONS });

/**
 * @param {string} workload
 * @param {string} folder
 */
function defineChain(workload, folder) {
  const last = (CHAINS[workload]?.length ?? 0) - 1;
  let job = defineJob('step', { workload, folder, index: 0, isLast: last === 0 });
  for (let index = 1; index <= last; index += 1)
    job = defineJob('step', { workload, folder, index, isLast: index === last }, [job]);
  return job;
}

/** @param {string} folder */
const defineGather = (folder) =>
  defineJob(
    'gather',
    { folder, isLast: true },
    PART_NAMES.map((part) => defineJob('sort', { folder, part })),
  );
