import { CHAINS, executeStep, GATHER, limitProcesses, PART_NAMES, runProcess, SORT, SPLIT } from './steps.mjs';

/**
 * Restate: a run is an invocation, each step a journaled action of it, whose result is stored before the next one starts. The
 * parts are actions of one invocation that start at once; their processes are limited here. Clients call Restate's server.
 *
 * RESTATE_SERVICE_PORT: port of the endpoint that the server calls. RESTATE_ADMIN_URL: of the server.
 * @param {import('./app.mjs').EngineOptions} options
 * @returns {Promise<undefined>}
 */
export async function start({ load, concurrency }) {
  const { RESTATE_SERVICE_PORT, RESTATE_ADMIN_URL } = process.env;
  const restate = await load('@restatedev/restate-sdk');
  const runLimited = limitProcesses(concurrency);
  /** @param {any} context @param {{ workload: string, folder: string }} input */
  const chain = async (context, { workload, folder }) => {
    let value = 0;
    for (const index of CHAINS[workload]?.keys() ?? [])
      value = await context.run(`step-${index}`, () => executeStep(workload, index, { folder, value }));
    return value;
  };
  /** @param {any} context @param {{ folder: string }} input */
  const parts = async (context, { folder }) => {
    await context.run('split', () => runProcess(SPLIT, folder));
    await restate.RestatePromise.all(
      PART_NAMES.map((part) => context.run(`sort-${part}`, () => runLimited(SORT(part), folder))),
    );
    await context.run('gather', () => runProcess(GATHER, folder));
    return true;
  };
  const service = restate.service({ name: 'bench', handlers: { chain, parts } });
  await restate.serve({ services: [service], port: Number(RESTATE_SERVICE_PORT) });
  const response = await fetch(`${RESTATE_ADMIN_URL}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${RESTATE_SERVICE_PORT}`, force: true }),
  });
  if (!response.ok) throw new Error(`Restate refused the service (${response.status}): ${await response.text()}`);
  return undefined;
}
