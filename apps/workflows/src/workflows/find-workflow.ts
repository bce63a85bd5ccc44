import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { SELECT_WORKFLOW, toWorkflowRow, type FlatWorkflowRow, type WorkflowRow } from './workflow-row.js';

/** A workflow that the caller may use as the operation declares. @throws NotFoundError, ForbiddenError */
export async function findWorkflow(
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  context: Context,
): Promise<WorkflowRow> {
  const [found] = isId(id) ? await selectWorkflow(client, id, context) : [];
  return toWorkflowRow(requireWorkflowAccess(found, context));
}

const selectWorkflow = (
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  { caller }: Context,
): Promise<FlatWorkflowRow[]> =>
  client.$queryRaw<FlatWorkflowRow[]>`
    ${SELECT_WORKFLOW} WHERE w.id = ${id}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;

/** Whoever may not see a workflow of their vault is told the same as of one that is not there. @throws NotFoundError, ForbiddenError */
export function requireWorkflowAccess<W extends { spaceId: string }>(found: W | null | undefined, context: Context): W {
  if (!found) throw new NotFoundError('Workflow');
  context.requireSpaceRole(found.spaceId, 'Workflow');
  return found;
}
