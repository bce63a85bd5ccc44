import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { MillraceClient } from '@millrace/client';
import type { Output, Run, Subjob } from '@millrace/contracts/records';
import { outputs, runs, subjobs, versions, workflows } from '@millrace/contracts/resources';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import { eventually } from '@millrace/testkit/eventually';
import type { Account } from './sign-up.js';

interface Node {
  type: 'TOOL' | 'SCRIPT' | 'SPLITTER' | 'WORKFLOW' | 'APPROVAL';
  [key: string]: unknown;
}

/** The short form of a workflow in tests. Edges are `[from, to]`, without the prefixes `output/` and `input/` of their ids. */
export interface Draft {
  nodes: Record<string, Node>;
  edges?: [from: string, to: string][];
  inputs?: Record<string, { type: string; label?: string; value?: unknown }>;
}

export const script = (source: string, more: Record<string, unknown> = {}): Node => ({
  type: 'SCRIPT',
  script: { source },
  ...more,
});

export const toData = ({ nodes, edges = [], inputs = {} }: Draft) => ({
  nodes,
  primitiveNodes: inputs,
  connections: edges.map(([from, to]) => ({ source: { id: `output/${from}` }, destination: { id: `input/${to}` } })),
});

/** Makes a workflow with one version. @returns its id */
export async function makeWorkflow({ client, space }: Account, draft: Draft): Promise<string> {
  const body = { name: `e2e ${randomUUID()}` };
  const workflow = await client.call(workflows.createWorkflow, { params: { spaceId: space }, body });
  await client.call(versions.saveVersion, { params: { id: workflow.id }, body: { data: toData(draft) } });
  return workflow.id;
}

export async function startRun(
  account: Account,
  draft: Draft,
  inputs: Record<string, string | boolean> = {},
): Promise<Run> {
  const id = await makeWorkflow(account, draft);
  return account.client.call(runs.createRun, { params: { id }, body: { inputs } });
}

/** Waits until a run has ended. Tolerates times when the server is unavailable. */
export async function waitForEnd(client: MillraceClient, id: string, timeoutMs = 150_000): Promise<Run> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const run = await client.call(runs.getRun, { params: { id }, timeoutMs: 15_000 });
      if (isFinalRun(run.status)) return run;
      last = `${run.status} ${JSON.stringify(run.run_insights)}`;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(`Run ${id} did not end within ${timeoutMs} ms: ${String(last)}`);
}

export async function runToEnd(
  account: Account,
  draft: Draft,
  inputs: Record<string, string | boolean> = {},
): Promise<Run> {
  const run = await startRun(account, draft, inputs);
  return waitForEnd(account.client, run.id);
}

/** The one subjob of a node, or its task group. */
export async function findNode(client: MillraceClient, run: string, node: string): Promise<Subjob> {
  const { results } = await client.call(subjobs.listSubjobs, { params: { id: run }, query: { node } });
  const found = results.find((subjob) => subjob.task_count !== undefined) ?? results.at(-1);
  if (!found) throw new Error(`Run ${run} has no node ${node}`);
  return found;
}

/** Waits until a node is running. @returns the id of its subjob */
export const waitForStart = (client: MillraceClient, run: string, node: string): Promise<string> =>
  eventually(async () => {
    const subjob = await findNode(client, run, node);
    expect(subjob.status).toBe('RUNNING');
    return subjob.id;
  });

export async function listChildren(client: MillraceClient, run: string, group: string): Promise<Subjob[]> {
  const children: Subjob[] = [];
  const params = { id: run, subjobId: group };
  for await (const child of client.list(subjobs.listChildren, { params })) children.push(child);
  return children;
}

export async function listOutputs(client: MillraceClient, run: string, node: string): Promise<Output[]> {
  const found: Output[] = [];
  for await (const output of client.list(outputs.listRunOutputs, { params: { id: run }, query: { node } })) {
    found.push(output);
  }
  return found;
}

export async function readOutput(client: MillraceClient, output: Output): Promise<string> {
  const { body } = await client.download(outputs.downloadOutput, { params: { id: output.id } });
  return (await buffer(body)).toString();
}

/** The content of the file port of a node that is not distributed. */
export async function readFilePort(client: MillraceClient, run: string, node: string): Promise<string> {
  const output = (await listOutputs(client, run, node)).find(({ path }) => path === 'output.txt');
  if (!output) throw new Error(`Node ${node} of run ${run} has no output.txt`);
  return readOutput(client, output);
}
