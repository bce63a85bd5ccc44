import { join } from 'node:path';
import { MillraceClient } from '@millrace/client';
import { findFreePort } from '../../../scripts/lib/servers/allot-ports.mjs';
import { readJson } from '../../../scripts/lib/write-json.mjs';
import { defineChain } from '../../chains.mjs';
import { defineFibonacci } from '../../fibonacci.mjs';
import { createWorkflow, signUp } from '../../lib/account.mjs';
import { runAlone } from '../../lib/run-alone.mjs';
import { startSystem } from '../../lib/start-system.mjs';
import { WorkflowRunner } from '../../lib/workflow-runner.mjs';
import { PARTS_WORKFLOW, readResult } from '../../parts.mjs';
import { contentOf } from '../workloads.mjs';

/** The label makes the output a named one, which clients find by its run. */
const NAMED = { meta: { label: 'result' } };

/** @param {{ nodes: Record<string, any> }} workflow */
function nameLastOutput(workflow) {
  const last = Object.keys(workflow.nodes).at(-1) ?? '';
  return { ...workflow, nodes: { ...workflow.nodes, [last]: { ...workflow.nodes[last], ...NAMED } } };
}

const WORKFLOWS = [
  { chain: 'w2', input: 'input', workflow: nameLastOutput(defineChain()) },
  { chain: 'w3', input: 'lines', workflow: PARTS_WORKFLOW },
  { chain: 'w4', input: 'input', workflow: defineFibonacci() },
];

/**
 * Millrace as `npm run up` starts it.
 * @param {import('../systems.mjs').SystemOptions & { isolation: 'off' | 'required' }} options
 * @returns {import('../systems.mjs').PeerSystem}
 */
export function createMillrace({ folder, isolation }) {
  /** @type {import('../../lib/start-system.mjs').BenchSystem | undefined} */
  let system;
  /** @type {import('../../lib/account.mjs').Account | undefined} */
  let account;
  /** @type {Map<string, { id: string, inputs: Record<string, string> }>} */
  const workflows = new Map();
  const start = async () => {
    system = await startSystem(
      { WORKER_ISOLATION: isolation, PORT: String(await findFreePort()) },
      { dataFolder: folder },
    );
    if (account) account = { ...account, client: new MillraceClient({ baseUrl: system.url, token: account.token }) };
  };
  const stop = async () => {
    await system?.stop();
    system = undefined;
  };
  return {
    install: async () => {
      await start();
      account = await signUp(system?.url ?? '');
      for (const { chain, input, workflow } of WORKFLOWS) {
        const path = `bench/${chain}.txt`;
        await account.client.files.upload(path, new Blob([contentOf(chain)]));
        const id = await createWorkflow(account, chain, workflow);
        workflows.set(chain, { id, inputs: { [input]: `millrace://file/${path}` } });
      }
      await stop();
    },
    start,
    stop,
    pids: () => [readJson(join(folder, 'state.json'))?.supervisor.pid].filter(Boolean),
    prepareRuns: ({ chain, inFlight }) => {
      const workflow = workflows.get(chain);
      if (!account || !workflow) throw new Error(`Millrace has no workflow for ${chain}.`);
      const owner = account;
      const { id, inputs } = workflow;
      if (inFlight > 1) {
        const runner = new WorkflowRunner(owner, id, inputs);
        return () => runner.run();
      }
      return () => runAlone(owner, id, inputs);
    },
    readOutput: async (_workload, { result }) => (account ? readResult(account, result) : ''),
  };
}
