import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { lockWorkflow } from './lock-workflow.js';
import { SELECT_WORKFLOW, toWorkflowRow, type FlatWorkflowRow, type WorkflowRow } from './workflow-row.js';

/**
 * Finds a workflow and checks the caller's role in its space, as the operation requires.
 * @throws NotFoundError, ForbiddenError
 */
export async function findWorkflow(
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  context: Context,
): Promise<WorkflowRow> {
  const [found] = isId(id) ? await selectWorkflow(client, id, context) : [];
  return toWorkflowRow(requireWorkflowAccess(found, id, context));
}

const selectWorkflow = (
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  { caller }: Context,
): Promise<FlatWorkflowRow[]> =>
  client.$queryRaw<FlatWorkflowRow[]>`
    ${SELECT_WORKFLOW} WHERE w.id = ${id}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;

/**
 * Checks the caller's role in the workflow's space. A caller without a role gets the same error as for a missing
 * workflow.
 * @throws NotFoundError, ForbiddenError
 */
export function requireWorkflowAccess<W extends { spaceId: string }>(
  found: W | null | undefined,
  id: string,
  context: Context,
): W {
  if (!found) throw new NotFoundError(`Workflow ${id}`);
  context.requireSpaceRole(found.spaceId, `Workflow ${id}`);
  return found;
}

/**
 * Finds a workflow and locks it until the transaction ends, for changes that depend on its space or project. It checks
 * access before it locks, so that only callers who may change the workflow can block others. It reads the row again
 * after the lock, to see the result of the last change.
 * @throws NotFoundError, ForbiddenError
 */
export async function findWorkflowForUpdate(tx: Transaction, id: string, context: Context): Promise<WorkflowRow> {
  const found = await findWorkflow(tx, id, context);
  await lockWorkflow(tx, found.id);
  return findWorkflow(tx, id, context);
}
