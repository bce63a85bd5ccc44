/**
 * Starts a run, follows its events until it ends, as a client does that waits for one run, and throws if it did not complete.
 * @param {import('./account.mjs').Account} account
 * @param {string} workflow
 * @param {Record<string, string>} inputs
 * @returns {Promise<string>} id of the run
 */
export async function runAlone({ client }, workflow, inputs) {
  const { id } = await client.workflows.run(workflow, { inputs });
  const { status } = await client.runs.wait(id);
  if (status !== 'COMPLETED') throw new Error(`Run ${id} ended with status ${status}`);
  return id;
}
