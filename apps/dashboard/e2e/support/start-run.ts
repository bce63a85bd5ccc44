import type { Run } from '@millrace/client';
import type { Account } from './test.js';

/** A workflow in the form of its file, without what the tests of runs never set. */
interface Draft {
  name: string;
  nodes: Record<string, Record<string, unknown>>;
  inputs?: Record<string, Record<string, unknown>>;
  connections?: { from: string; to: string }[];
}

/** Makes a workflow and starts a run of it. */
export async function startRun(account: Account, { name, nodes, inputs = {}, connections = [] }: Draft): Promise<Run> {
  const workflow = { primitiveNodes: inputs, nodes, connections };
  const query = { space: account.space };
  const { id } = await account.client.workflows.import({ yaml: JSON.stringify({ name, workflow }) }, { query });
  return account.client.workflows.run(id, {});
}
