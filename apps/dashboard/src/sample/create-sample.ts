import type { MillraceClient } from '@millrace/client';
import {
  SAMPLE_KEY,
  SAMPLE_NODE,
  SAMPLE_SOLUTION,
  SAMPLE_TABLE,
  SAMPLE_WORKFLOW,
  SAMPLE_YAML,
} from './sample-workflow.js';

/** The sample in a space: a workflow and the table that its runs fill. */
export interface Sample {
  workflow: string;
  table: string;
}

/** Creates the parts of the sample that a space does not have. It may be called again after a failure. */
export async function createSample(client: MillraceClient, space: string): Promise<Sample> {
  const { results: workflows } = await client.workflows.list({ space, search: SAMPLE_WORKFLOW });
  const workflow =
    workflows.find(({ name }) => name === SAMPLE_WORKFLOW) ??
    (await client.workflows.import({ yaml: SAMPLE_YAML }, { query: { space } }));
  const table = await findOrCreateTable(client, space);
  const { results: bindings } = await client.reportingNodes.list({ workflow: workflow.id });
  if (!bindings.some(({ node_name: node }) => node === SAMPLE_NODE))
    await client.reportingNodes.create({
      workflow: workflow.id,
      node_name: SAMPLE_NODE,
      output_name: 'output.txt',
      dataset_id: table,
    });
  return { workflow: workflow.id, table };
}

async function findOrCreateTable(client: MillraceClient, space: string): Promise<string> {
  const { results: tables } = await client.datasets.list({ space, search: SAMPLE_TABLE });
  const existing = tables.find(({ name }) => name === SAMPLE_TABLE);
  if (existing) return existing.id;
  const { results: solutions } = await client.solutions.list({ space, search: SAMPLE_SOLUTION });
  const solution =
    solutions.find(({ name }) => name === SAMPLE_SOLUTION) ??
    (await client.solutions.create({ name: SAMPLE_SOLUTION, space }));
  const table = await client.datasets.create({ name: SAMPLE_TABLE, solution: solution.id, primary_key: [SAMPLE_KEY] });
  return table.id;
}
