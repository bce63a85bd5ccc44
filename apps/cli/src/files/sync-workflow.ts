import { dirname, resolve } from 'node:path';
import type { Workflow } from '@millrace/sdk/records';
import { workflows } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';
import { saveFile, type SaveOptions } from './save-file.js';
import { readWorkflowFile, type FileData, type WorkflowFile } from './workflow-file.js';

export interface SyncedWorkflow {
  workflow: string;
  version: string;
}

export interface SyncOptions extends SaveOptions {
  /** Id of the space that the workflows are in. */
  space: string;
}

/**
 * Makes the server's workflow of that name in the space equal to the file; data that is unchanged makes no new version.
 * Workflows that its WORKFLOW nodes name as a file are synced first, and published, for modules run what is published.
 * @throws CliError if the server has a version that the file would overwrite unseen
 */
export async function syncWorkflow(
  options: SyncOptions,
  file: WorkflowFile,
  data: FileData = file.workflow,
): Promise<SyncedWorkflow> {
  return syncWithin(options, file, data, []);
}

async function syncWithin(
  options: SyncOptions,
  file: WorkflowFile,
  data: FileData,
  within: string[],
): Promise<SyncedWorkflow> {
  if (within.includes(file.path))
    throw new CliError(`Modules contain each other: ${[...within, file.path].join(' → ')}`);
  const resolved = structuredClone(data);
  for (const node of Object.values(resolved.nodes)) {
    if (node.type !== 'WORKFLOW' || !/\.ya?ml$/.test(node.workflow ?? '')) continue;
    const module = await readWorkflowFile(resolve(dirname(file.path), node.workflow ?? ''));
    const synced = await syncWithin(options, module, module.workflow, [...within, file.path]);
    node.workflow = synced.workflow;
  }
  const workflow = await findOrCreate(options, file);
  const saved = await saveFile(options, workflow, file, { data: resolved, snapshot: within.length > 0 });
  await describe(options, workflow, file);
  return { workflow: workflow.id, version: saved.id };
}

async function findOrCreate({ client, space }: SyncOptions, { name, description }: WorkflowFile): Promise<Workflow> {
  const query = { search: name, ordering: 'created_date' };
  for await (const workflow of client.each(workflows.listSpaceWorkflows, { params: { spaceId: space }, query })) {
    if (workflow.name === name) return workflow;
  }
  const body = { name, ...(description !== undefined && { description }) };
  return client.call(workflows.createWorkflow, { params: { spaceId: space }, body });
}

async function describe({ client }: SyncOptions, workflow: Workflow, { description }: WorkflowFile): Promise<void> {
  if (description === undefined || workflow.description === description) return;
  await client.call(workflows.updateWorkflow, { params: { id: workflow.id }, body: { description } });
}
