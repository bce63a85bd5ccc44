import { dirname, resolve } from 'node:path';
import type { MillraceClient, Workflow } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { pickDefined } from '../pick-defined.js';
import { findByName } from './find-workflow-of-file.js';
import { saveFile, type SaveOptions } from './save-file.js';
import { readWorkflowFile, type FileData, type WorkflowFile } from './workflow-file.js';

export interface SyncedWorkflow {
  workflow: string;
  version: string;
}

export interface SyncOptions extends SaveOptions {
  /** Id of the space with the workflows. */
  space: string;
}

/**
 * Updates the workflow with the file's name in the space. Unchanged data creates no new version. If a WORKFLOW node names a
 * file, that file is synced first and published, because a module runs its published version.
 * @throws CliError if the file would overwrite a version of another user
 */
export async function syncWorkflow(options: SyncOptions, file: WorkflowFile): Promise<SyncedWorkflow> {
  return syncWithModules(options, file, []);
}

async function syncWithModules(options: SyncOptions, file: WorkflowFile, parents: string[]): Promise<SyncedWorkflow> {
  if (parents.includes(file.path))
    throw new CliError(`Modules contain each other: ${[...parents, file.path].join(' → ')}`);
  const resolved = await syncModules(options, file, file.workflow, parents);
  const { workflow, saved } = await saveOrCreate(options, file, (target) =>
    saveFile(options, target, file, { data: resolved, snapshot: parents.length > 0 }),
  );
  await updateDescription(options.client, workflow, pickDefined({ description: file.description }));
  return { workflow: workflow.id, version: saved.id };
}

/** Syncs and publishes the files that WORKFLOW nodes name. @returns the data with the ids of their workflows */
export async function syncModules(
  options: SyncOptions,
  file: Pick<WorkflowFile, 'path'>,
  data: FileData,
  parents: string[] = [],
): Promise<FileData> {
  const resolved = structuredClone(data);
  for (const node of Object.values(resolved.nodes)) {
    if (node.type !== 'WORKFLOW' || !/\.ya?ml$/.test(node.workflow ?? '')) continue;
    const module = await readWorkflowFile(resolve(dirname(file.path), node.workflow ?? ''));
    const synced = await syncWithModules(options, module, [...parents, file.path]);
    node.workflow = synced.workflow;
  }
  return resolved;
}

/**
 * Finds the workflow with the name of a file in the space, or creates it, and saves a version of it. If the version is refused, a
 * new workflow is deleted again.
 */
export async function saveOrCreate<T>(
  { client, space }: Pick<SyncOptions, 'client' | 'space'>,
  file: Pick<WorkflowFile, 'name' | 'description'>,
  save: (workflow: Workflow) => Promise<T>,
): Promise<{ workflow: Workflow; saved: T }> {
  const found = await findByName(client, space, file);
  if (found !== undefined) return { workflow: found, saved: await save(found) };
  const { name, description } = file;
  const workflow = await client.workflows.create(space, pickDefined({ name, description }));
  try {
    return { workflow, saved: await save(workflow) };
  } catch (error) {
    await client.workflows.delete(workflow.id).catch(() => undefined);
    throw error;
  }
}

/** Changes the descriptions of a workflow to those of its file, if the file has any. */
export async function updateDescription(
  client: MillraceClient,
  workflow: Workflow,
  { description, longDescription }: Pick<WorkflowFile, 'description' | 'longDescription'>,
): Promise<void> {
  const changed = pickDefined({
    description: description === (workflow.description ?? undefined) ? undefined : description,
    long_description: longDescription === workflow.long_description ? undefined : longDescription,
  });
  if (Object.keys(changed).length > 0) await client.workflows.update(workflow.id, changed);
}
