import { validateWorkflow } from '../libs/graph/dist/check/validate-workflow.js';
import { versions, workflows } from '../libs/sdk/dist/resources.js';
import { makeWorkflow } from './lib/account.mjs';
import { measureBeside, secondsOf } from './lib/measure.mjs';
import { SHAPES } from './lib/workflow-shapes.mjs';

const GOAL_MS = 300;

/**
 * Milliseconds to validate the largest workflows, in process and through the gateway, beside what it takes to read and
 * write their data as JSON; and to save one.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchValidate({ account, isolation, note }) {
  const { client } = account;
  const id = await makeWorkflow(account, 'Validate', { nodes: {} });
  const results = [];
  for (const [name, make] of Object.entries(SHAPES)) {
    const data = make();
    const text = JSON.stringify(data);
    const edges = `${Object.keys(data.nodes).length} nodes, ${data.connections.length} edges: ${name}`;
    const inProcess = async () => void validateWorkflow(data);
    const atGateway = () => client.call(workflows.validateWorkflow, { params: { id }, body: { data } });
    for (const [how, work] of Object.entries({ 'in process': inProcess, 'at the gateway': atGateway })) {
      note(`${name}, ${how}`);
      results.push(await measure(`validate ${edges}, ${how}`, text, work, { isolation, note }));
    }
  }
  // Each save is of other data, for what is unchanged makes no version.
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
 * @param {Pick<import('./run.mjs').Bench, 'isolation' | 'note'>} bench
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function measure(workload, text, work, { isolation, note }) {
  const milliseconds = async (/** @type {() => Promise<unknown>} */ what) => (await secondsOf(what)) * 1_000;
  const floor = async () => void JSON.stringify(JSON.parse(text));
  const medians = await measureBeside({
    ours: () => milliseconds(work),
    floor: () => milliseconds(floor),
    warmUp: async () => {
      for (let time = 0; time < 3; time += 1) await work();
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
