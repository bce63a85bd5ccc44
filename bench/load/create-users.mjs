import { createWorkflow, signUp } from '../lib/account.mjs';
import { LIST_PATH, list, makeWorkflow } from './workflow.mjs';

/** Each password hash occupies a processor, so more at once would not be faster. */
const CONCURRENCY = 4;
const TABLE_ROWS = 500;
const PORTS = [80, 443, 8080, 8443];

const rows = () =>
  Array.from({ length: TABLE_ROWS }, (_, index) =>
    JSON.stringify({ host: `host-${index}.example.org`, port: PORTS[index % PORTS.length], status: 200 + (index % 3) }),
  ).join('\n');

/**
 * Creates accounts, each with a vault of its own, and what its user works on. The gateways are divided between them.
 * @param {string[]} gateways
 * @param {number} count
 * @param {(line: string) => void} note
 * @returns {Promise<import('./virtual-user.mjs').UserData[]>}
 */
export async function createUsers(gateways, count, note) {
  /** @type {import('./virtual-user.mjs').UserData[]} */
  const users = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const gateway = gateways[next++ % gateways.length] ?? '';
      users.push(await createUser(gateway));
      if (users.length % 50 === 0) note(`${users.length} of ${count} users have an account`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return users;
}

/**
 * @param {string} gateway
 * @returns {Promise<import('./virtual-user.mjs').UserData>}
 */
async function createUser(gateway) {
  const account = await signUp(gateway);
  const { client, space, token } = account;
  await client.files.upload(LIST_PATH, new Blob([list()]));
  const workflow = await createWorkflow(account, 'Check hosts', makeWorkflow(0));
  const run = await client.workflows.run(workflow, { inputs: { hosts: `millrace://file/${LIST_PATH}` } });
  const solution = await client.solutions.create({ name: 'Findings', space });
  const table = await client.datasets.create({ name: 'hosts', solution: solution.id, primary_key: ['host'] });
  await client.rows.append(table.id, rows(), { format: 'ndjson' });
  const { status } = await client.runs.wait(run.id);
  if (status !== 'COMPLETED') throw new Error(`The first run of a user ended with status ${status}.`);
  return { token, gateway, workflow, run: run.id, table: table.id };
}
