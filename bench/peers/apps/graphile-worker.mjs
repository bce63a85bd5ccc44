import { RunWaiters } from './run-waiters.mjs';
import { CHAINS, executeStep, GATHER, PART_NAMES, runProcess, SORT, SPLIT } from './steps.mjs';

/**
 * Graphile Worker: each step is a job that adds the job of the next step. A table counts the parts that are left.
 * @param {import('./app.mjs').EngineOptions} options
 * @returns {Promise<import('./app.mjs').Engine>}
 */
export async function start({ load, database, concurrency }) {
  const { Logger, run } = await load('graphile-worker');
  const waiters = new RunWaiters();
  const taskList = {
    step: async (/** @type {any} */ { workload, folder, index, value }, /** @type {any} */ helpers) => {
      const result = await executeStep(workload, index, { folder, value });
      if (index + 1 < (CHAINS[workload]?.length ?? 0))
        await helpers.addJob('step', { workload, folder, index: index + 1, value: result });
      else waiters.finish(folder, result);
    },
    split: async (/** @type {any} */ { folder }, /** @type {any} */ helpers) => {
      await runProcess(SPLIT, folder);
      await helpers.query('INSERT INTO bench_run (folder, parts_left) VALUES ($1, $2)', [folder, PART_NAMES.length]);
      await helpers.addJobs(PART_NAMES.map((part) => ({ identifier: 'sort', payload: { folder, part } })));
    },
    sort: async (/** @type {any} */ { folder, part }, /** @type {any} */ helpers) => {
      await runProcess(SORT(part), folder);
      const { rows } = await helpers.query(
        'UPDATE bench_run SET parts_left = parts_left - 1 WHERE folder = $1 RETURNING parts_left',
        [folder],
      );
      if (rows[0].parts_left === 0) await helpers.addJob('gather', { folder });
    },
    gather: async (/** @type {any} */ { folder }) => {
      await runProcess(GATHER, folder);
      waiters.finish(folder);
    },
  };
  const logger = new Logger(() => (/** @type {string} */ level, /** @type {string} */ message) => {
    if (level === 'error' || level === 'warning') console.error(message);
  });
  // The pool has the size that the documentation recommends: concurrency + 2.
  const runner = await run({
    ...{ connectionString: database, concurrency, maxPoolSize: concurrency + 2 },
    ...{ noHandleSignals: true, taskList, logger },
  });
  runner.events.on('job:error', (/** @type {any} */ { job, error }) => waiters.fail(job.payload?.folder, error));
  const pg = await load('pg');
  const client = new pg.default.Client({ connectionString: database });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS bench_run (folder text PRIMARY KEY, parts_left int NOT NULL)');
  await client.end();
  return {
    runChain: (workload, folder) =>
      waiters.start(folder, () => runner.addJob('step', { workload, folder, index: 0, value: 0 })),
    runParts: (folder) => waiters.start(folder, () => runner.addJob('split', { folder })),
  };
}
