import { dirname, resolve } from 'node:path';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Workflow } from '@millrace/sdk/records';
import { versions, workflows } from '@millrace/sdk/resources';
import { CliFailure } from '../cli-failure.js';
import { readWorkflowFile, type FileData, type WorkflowFile } from './workflow-file.js';

export interface SyncedWorkflow {
  workflow: string;
  version: string;
}

/**
 * Makes the server's workflow of that name in the space equal to the file; data that is unchanged makes no new version.
 * Workflows that its WORKFLOW nodes name as a file are synced first, and published, for modules run what is published.
 */
export async function syncWorkflow(
  client: MillraceClient,
  space: string,
  file: WorkflowFile,
  data: FileData = file.workflow,
): Promise<SyncedWorkflow> {
  return syncWithin(client, space, file, data, []);
}

async function syncWithin(
  client: MillraceClient,
  space: string,
  file: WorkflowFile,
  data: FileData,
  within: string[],
): Promise<SyncedWorkflow> {
  if (within.includes(file.path))
    throw new CliFailure(`Modules contain each other: ${[...within, file.path].join(' → ')}`);
  const resolved = structuredClone(data);
  for (const node of Object.values(resolved.nodes)) {
    if (node.type !== 'WORKFLOW' || !/\.ya?ml$/.test(node.workflow ?? '')) continue;
    const module = await readWorkflowFile(resolve(dirname(file.path), node.workflow ?? ''));
    const synced = await syncWithin(client, space, module, module.workflow, [...within, file.path]);
    node.workflow = synced.workflow;
  }
  const workflow = await findOrCreate(client, space, file);
  const snapshot = within.length > 0;
  const body = { data: resolved, ...(snapshot && { snapshot }) };
  const version = await client.call(versions.saveVersion, { params: { id: workflow.id }, body });
  return { workflow: workflow.id, version: version.id };
}

async function findOrCreate(client: MillraceClient, space: string, file: WorkflowFile): Promise<Workflow> {
  const { name, description } = file;
  const query = { search: name, ordering: 'created_date' };
  for await (const workflow of client.each(workflows.listSpaceWorkflows, { params: { spaceId: space }, query })) {
    if (workflow.name !== name) continue;
    if (description === undefined || workflow.description === description) return workflow;
    return client.call(workflows.updateWorkflow, { params: { id: workflow.id }, body: { description } });
  }
  const body = { name, ...(description !== undefined && { description }) };
  return client.call(workflows.createWorkflow, { params: { spaceId: space }, body });
}
