import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { addVersion } from '../versions/saving/add-version.js';
import type { EncodedData } from '../versions/saving/encode-data.js';
import { insertWorkflow, type NewWorkflow } from '../workflows/insert-workflow.js';
import { toWorkflow, withPlaceNames } from '../workflows/to-workflow.js';

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
