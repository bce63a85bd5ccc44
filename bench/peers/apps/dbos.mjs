import { CHAINS, executeStep, GATHER, limitProcesses, PART_NAMES, runProcess, SORT, SPLIT } from './steps.mjs';

/**
 * DBOS: a run is a workflow, each step a step of it, whose result is stored before the next one starts. The parts are steps
 * of one workflow that start at once; their processes are limited here.
 * @param {import('./app.mjs').EngineOptions} options
 * @returns {Promise<import('./app.mjs').Engine>}
 */
export async function start({ load, database, concurrency }) {
  const { DBOS } = await load('@dbos-inc/dbos-sdk');
  const runLimited = limitProcesses(concurrency);
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: database, logLevel: 'error' });

  const runChain = DBOS.registerWorkflow(
    async (/** @type {string} */ workload, /** @type {string} */ folder) => {
      let value = 0;
      for (const index of CHAINS[workload]?.keys() ?? [])
        value = await DBOS.runStep(() => executeStep(workload, index, { folder, value }), { name: `step-${index}` });
      return value;
    },
    { name: 'chain' },
  );
  const runParts = DBOS.registerWorkflow(
    async (/** @type {string} */ folder) => {
      await DBOS.runStep(() => runProcess(SPLIT, folder), { name: 'split' });
      const sorts = PART_NAMES.map((part) =>
        DBOS.runStep(() => runLimited(SORT(part), folder), { name: `sort-${part}` }),
      );
      const results = await Promise.allSettled(sorts);
      const failed = results.find(({ status }) => status === 'rejected');
      if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
      await DBOS.runStep(() => runProcess(GATHER, folder), { name: 'gather' });
    },
    { name: 'parts' },
  );
  await DBOS.launch();
  // Called without a receiver, because DBOS takes one for a configured instance.
  return { runChain: (workload, folder) => runChain(workload, folder), runParts: (folder) => runParts(folder) };
}
