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
  /** As the client gave it. */
  project?: string | null | undefined;
  /** Of the project in the request. */
  projectField: string;
  name: string;
  description?: string | null | undefined;
  longDescription?: string | null | undefined;
  /** Where something had to be known before the row is there. */
  id?: string;
}

/** A workflow without versions, in a space that the caller was let into. @throws NotFoundError, ValidationError */
export async function insertWorkflow(tx: Transaction, given: NewWorkflow, context: Context): Promise<PlacedWorkflow> {
  const { id = newId(), spaceId, name, description, longDescription } = given;
  const projectId = await findProjectId(tx, given.project, spaceId, context, given.projectField);
  const data = { id, ...inVault(context.caller), spaceId, author: context.caller.user, name };
  const more = omitUndefined({ description, longDescription, projectId });
  return orNotFound('Space', tx.workflow.create({ data: { ...data, ...more }, include: withPlaceNames }));
}
