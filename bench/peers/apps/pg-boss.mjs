import { RunWaiters } from './run-waiters.mjs';
import { CHAINS, executeStep, GATHER, PART_NAMES, runProcess, SORT, SPLIT } from './steps.mjs';

const QUEUE = 'steps';
const PARTS_QUEUE = 'parts';

/**
 * pg-boss: each step is a job that sends the job of the next step. A table counts the parts that are left. Notifications of
 * Postgres wake the workers, because jobs that wait for the next poll would take half a second each at least. A worker fetches
 * again at once only if its batch was full and has more than one job (`burstWhenBatchFull`), so the many parts come in batches.
 * @param {import('./app.mjs').EngineOptions} options
 * @returns {Promise<import('./app.mjs').Engine>}
 */
export async function start({ load, database, concurrency }) {
  const { PgBoss } = await load('pg-boss');
  const boss = new PgBoss({ connectionString: database, useListenNotify: true, max: concurrency + 2 });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  await boss.createQueue(PARTS_QUEUE, { notify: true });
  const { default: pg } = await load('pg');
  const pool = new pg.Pool({ connectionString: database });
  await pool.query('CREATE TABLE IF NOT EXISTS bench_run (folder text PRIMARY KEY, parts_left int NOT NULL)');
  const waiters = new RunWaiters();

  const tasks = {
    step: async (/** @type {any} */ { workload, folder, index, value }) => {
      const result = await executeStep(workload, index, { folder, value });
      if (index + 1 < (CHAINS[workload]?.length ?? 0))
        await boss.send(QUEUE, { task: 'step', workload, folder, index: index + 1, value: result });
      else waiters.finish(folder, result);
    },
    split: async (/** @type {any} */ { folder }) => {
      await runProcess(SPLIT, folder);
      await pool.query('INSERT INTO bench_run (folder, parts_left) VALUES ($1, $2)', [folder, PART_NAMES.length]);
      await boss.insert(
        PARTS_QUEUE,
        PART_NAMES.map((part) => ({ data: { task: 'sort', folder, part } })),
      );
    },
    sort: async (/** @type {any} */ { folder, part }) => {
      await runProcess(SORT(part), folder);
      const { rows } = await pool.query(
        'UPDATE bench_run SET parts_left = parts_left - 1 WHERE folder = $1 RETURNING parts_left',
        [folder],
      );
      if (rows[0].parts_left === 0) await boss.send(QUEUE, { task: 'gather', folder });
    },
    gather: async (/** @type {any} */ { folder }) => {
      await runProcess(GATHER, folder);
      waiters.finish(folder);
    },
  };
  const executeAll = async (/** @type {any[]} */ jobs) => {
    await Promise.all(
      jobs.map(async ({ data }) => {
        try {
          await /** @type {any} */ (tasks)[data.task](data);
        } catch (error) {
          waiters.fail(data.folder, error);
          throw error;
        }
      }),
    );
  };
  const [workers, batchSize] = [2, concurrency / 2];
  await boss.work(QUEUE, { localConcurrency: concurrency }, executeAll);
  await boss.work(PARTS_QUEUE, { localConcurrency: workers, batchSize, burstWhenBatchFull: true }, executeAll);
  return {
    runChain: (workload, folder) =>
      waiters.start(folder, () => boss.send(QUEUE, { task: 'step', workload, folder, index: 0, value: 0 })),
    runParts: (folder) => waiters.start(folder, () => boss.send(QUEUE, { task: 'split', folder })),
  };
}
