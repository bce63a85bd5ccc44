import { runs } from '../../libs/sdk/dist/resources.js';

/**
 * Starts a run and waits for its end, which its event stream tells at once.
 * @param {import('./account.mjs').Account} account
 * @param {string} workflow
 * @param {Record<string, string>} inputs
 * @param {number} [parallelism]
 * @returns {Promise<string>} the run
 */
export async function finishRun({ client }, workflow, inputs, parallelism) {
  const body = { inputs, ...(parallelism !== undefined && { parallelism }) };
  const { id } = await client.call(runs.createRun, { params: { id: workflow }, body });
  for await (const event of client.events(id)) {
    if (event.type !== 'end') continue;
    if (event.status !== 'COMPLETED') throw new Error(`Run ${id} ended ${event.status}`);
  }
  return id;
}
