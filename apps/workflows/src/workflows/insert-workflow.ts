import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findProjectId } from '../projects/find-project-id.js';
import { addVersion } from '../versions/saving/add-version.js';
import type { EncodedData } from '../versions/saving/encode-data.js';
import { withPlaceNames, type PlacedWorkflow, toWorkflow } from './to-workflow.js';

interface NewWorkflow {
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

/**
 * Inserts a workflow with a first version, whose data the caller has validated, or without one. The caller has checked
 * access to the space.
 * @throws NotFoundError, ValidationError for the project
 */
export async function insertWorkflowWithVersion(
  tx: Transaction,
  workflow: NewWorkflow,
  version: (EncodedData & { name?: string | undefined }) | null,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const { id } = await insertWorkflow(tx, workflow, context);
  if (version) await addVersion(tx, id, { ...version, author: context.caller.user, expected: null });
  return toWorkflow(await tx.workflow.findUniqueOrThrow({ where: { id }, include: withPlaceNames }));
}
