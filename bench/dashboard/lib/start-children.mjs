import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ run: string, group: string }} ChildrenRun */

/**
 * Starts a run with many trivial children, and waits until the input is distributed.
 * @param {import('../../lib/account.mjs').Account} user
 * @param {number} children
 * @param {{ isHeld?: boolean, seconds?: number, parallelism?: number }} [options] `isHeld`: whether another step keeps the run under
 *   way when all children have ended; `seconds`: how long a child takes
 * @returns {Promise<ChildrenRun>}
 */
export async function startChildren(
  { client, space },
  children,
  { isHeld = false, seconds = 0, parallelism = 100 } = {},
) {
  const workflow = {
    nodes: {
      'items-1': { type: 'SCRIPT', script: { source: `yes ${seconds} | head -n ${children}` } },
      'child-1': {
        type: 'TOOL',
        container: { command: [seconds > 0 ? '/bin/sleep' : '/bin/echo'] },
        output_command: '>',
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      },
      ...(isHeld && { 'hold-1': { type: 'SCRIPT', script: { source: 'sleep 3600' } } }),
    },
    connections: [{ from: 'items-1/file', to: 'child-1/item' }],
  };
  const yaml = JSON.stringify({ name: `${children} children`, workflow });
  const { id } = await client.workflows.import({ yaml }, { query: { space } });
  const run = await client.workflows.run(id, { parallelism });
  for (;;) {
    const { results } = await client.subjobs.list(run.id, { node: 'child-1' });
    const group = results.find(({ task_count: count }) => count === children);
    if (group) return { run: run.id, group: group.id };
    const { finished, error } = await client.runs.get(run.id);
    if (finished) throw new Error(`Run ${run.id} ended before it was distributed: ${error ?? ''}`);
    await sleep(200);
  }
}

/**
 * Stops a run and waits until it has ended.
 * @param {import('../../lib/account.mjs').Account} user
 * @param {string} run
 */
export async function stopRun({ client }, run) {
  await client.runs.stop(run);
  while (!(await client.runs.get(run)).finished) await sleep(200);
}

/**
 * All statuses of a group, one letter for each child.
 * @param {import('../../lib/account.mjs').Account} user
 * @param {ChildrenRun} of
 * @returns {Promise<string>}
 */
export async function readStatuses({ client }, { run, group }) {
  let statuses = '';
  for (let from = /** @type {number | null} */ (1); from !== null;) {
    const page = await client.subjobs.statuses(run, group, { from });
    statuses += page.statuses;
    from = page.next;
  }
  return statuses;
}
