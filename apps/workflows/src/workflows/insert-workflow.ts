import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findProjectId } from '../projects/find-project-id.js';
import { withPlaceNames, type PlacedWorkflow } from './to-workflow.js';

export interface NewWorkflow {
  spaceId: string;
  /** As in the request: an id, or null or empty for no project. */
  project?: string | null | undefined;
  /** The request field that contains `project`, such as `body.project_info`. */
  projectField: string;
  name: string;
  description?: string | null | undefined;
  longDescription?: string | null | undefined;
  /** Set if the caller needs the id before the row exists. */
  id?: string;
}

/**
 * Inserts a workflow without versions. The caller has checked access to the space.
 * @throws NotFoundError, ValidationError
 */
export async function insertWorkflow(
  tx: Transaction,
  workflow: NewWorkflow,
  context: Context,
): Promise<PlacedWorkflow> {
  const { id = newId(), spaceId, name, description, longDescription } = workflow;
  const projectId = await findProjectId(tx, workflow.project, spaceId, context, workflow.projectField);
  const data = { id, ...inVault(context.caller), spaceId, author: context.caller.user, name };
  const optional = omitUndefined({ description, longDescription, projectId });
  return orNotFound(
    `Space ${spaceId}`,
    tx.workflow.create({ data: { ...data, ...optional }, include: withPlaceNames }),
  );
}
