import { type MillraceClient, NotFoundError, type Workflow } from '@millrace/client';
import { findWorkflow } from '../resolve-names.js';
import type { WorkflowFile } from './workflow-file.js';

/** Finds the workflow that the user names, or that the file was exported from. */
export async function findOrigin(
  client: MillraceClient,
  { exportedFrom }: Pick<WorkflowFile, 'exportedFrom'>,
  named: string | undefined,
): Promise<Workflow | undefined> {
  if (named !== undefined) return client.workflows.get(await findWorkflow(client, named));
  const origin = exportedFrom?.workflow;
  if (origin === undefined) return undefined;
  try {
    return await client.workflows.get(origin);
  } catch (error) {
    // The file comes from another server or vault, or the workflow was deleted.
    if (!(error instanceof NotFoundError)) throw error;
    return undefined;
  }
}

/** Finds the workflow with the name of a file in a space: the oldest of several. */
export async function findByName(
  client: MillraceClient,
  space: string,
  { name }: Pick<WorkflowFile, 'name'>,
): Promise<Workflow | undefined> {
  for await (const workflow of client.workflows.listInSpace(space, { search: name, ordering: 'created_date' }))
    if (workflow.name === name) return workflow;
  return undefined;
}
