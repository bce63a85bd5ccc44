import { versions, workflows } from '@millrace/contracts/resources';
import { validateWorkflow } from '../libs/graph/dist/check/validate-workflow.js';
import { createWorkflow } from './lib/account.mjs';
import { compareWithFloor, timeSeconds } from './lib/measure.mjs';
import { SHAPES } from './lib/workflow-shapes.mjs';

const GOAL_MS = 300;

/**
 * Measures how long it takes to validate the largest workflows, in process and through the gateway, and to save one. The
 * floor parses and serializes the same data as JSON.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchValidate({ account, isolation, note }) {
  const { client } = account;
  const id = await createWorkflow(account, 'Validate', { nodes: {} });
  const results = [];
  for (const [name, makeData] of Object.entries(SHAPES)) {
    const data = makeData();
    const text = JSON.stringify(data);
    const description = `${Object.keys(data.nodes).length} nodes, ${data.connections.length} edges: ${name}`;
    const inProcess = async () => void validateWorkflow(data);
    const throughGateway = () => client.call(workflows.validateWorkflow, { params: { id }, body: { data } });
    for (const [place, work] of Object.entries({ 'in process': inProcess, 'through the gateway': throughGateway })) {
      note(`${name}, ${place}`);
      results.push(await measure(`validate ${description}, ${place}`, text, work, { isolation, note }));
    }
  }
  // Each save changes the data, because saving the same data again creates no version.
  let saves = 0;
  const { nodes, connections } = SHAPES['random']();
  const save = () => {
    const data = { nodes, connections, config: { save: (saves += 1) } };
    return client.call(versions.saveVersion, { params: { id }, body: { data } });
  };
  note('save');
  results.push(await measure('save random', JSON.stringify({ nodes, connections }), save, { isolation, note }));
  return results;
}

/**
 * @param {string} workload
 * @param {string} text data as JSON
 * @param {() => Promise<unknown>} work
 * @param {Pick<import('./run.mjs').BenchContext, 'isolation' | 'note'>} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function measure(workload, text, work, { isolation, note }) {
  const milliseconds = async (/** @type {() => Promise<unknown>} */ action) => (await timeSeconds(action)) * 1_000;
  const floor = async () => void JSON.stringify(JSON.parse(text));
  const medians = await compareWithFloor({
    ours: () => milliseconds(work),
    floor: () => milliseconds(floor),
    warmUp: async () => {
      for (let round = 0; round < 3; round += 1) await work();
      await floor();
    },
    note,
  });
  return {
    workload,
    isolation,
    ours: `${medians.ours.toFixed(0)} ms`,
    floor: `${medians.floor.toFixed(0)} ms (JSON.parse and stringify)`,
    ratio: medians.ours / medians.floor,
    goal: `under ${GOAL_MS} ms`,
    met: medians.ours < GOAL_MS,
  };
}
