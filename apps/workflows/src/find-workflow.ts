import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { withPlace, type PlacedWorkflow } from './to-workflow.js';

/** A workflow that the caller may use as the operation declares. @throws NotFound, Forbidden */
export async function findWorkflow(
  client: Pick<Transaction, 'workflow'>,
  id: string,
  context: Context,
): Promise<PlacedWorkflow> {
  const where = { id, ...inVault(context.caller) };
  return admit(isId(id) ? await client.workflow.findFirst({ where, include: withPlace }) : null, context);
}

/** Whoever may not see a workflow of their vault is told the same as of one that is not there. @throws NotFound, Forbidden */
export function admit<W extends { spaceId: string }>(found: W | null | undefined, context: Context): W {
  if (!found) throw new NotFound('Workflow');
  context.enter(found.spaceId, 'Workflow');
  return found;
}
