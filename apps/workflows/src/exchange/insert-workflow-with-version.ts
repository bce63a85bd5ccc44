import type { Result } from '@millrace/contracts/kit/operation';
import type { getWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { addVersion } from '../versions/saving/add-version.js';
import type { EncodedData } from '../versions/saving/encode-data.js';
import { insertWorkflow, type NewWorkflow } from '../workflows/insert-workflow.js';
import { toWorkflow, withPlaceNames } from '../workflows/to-workflow.js';

/**
 * Makes a workflow that begins with a version whose data was checked, or with none, in a space that the caller was let
 * into.
 * @throws NotFoundError, ValidationError for the project
 */
export async function insertWorkflowWithVersion(
  tx: Transaction,
  given: NewWorkflow,
  version: (EncodedData & { name?: string | undefined }) | null,
  context: Context,
): Promise<Result<typeof getWorkflow>> {
  const { id } = await insertWorkflow(tx, given, context);
  if (version) await addVersion(tx, id, { ...version, author: context.caller.user, expected: null });
  return toWorkflow(await tx.workflow.findUniqueOrThrow({ where: { id }, include: withPlaceNames }));
}
