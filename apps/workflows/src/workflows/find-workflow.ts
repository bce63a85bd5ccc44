import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { SELECT_PLACED, toPlaced, type FlatRow, type PlacedRow } from './workflow-row.js';

/** A workflow that the caller may use as the operation declares. @throws NotFoundError, ForbiddenError */
export async function findWorkflow(
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  context: Context,
): Promise<PlacedRow> {
  const [found] = isId(id) ? await read(client, id, context) : [];
  return toPlaced(admit(found, context));
}

const read = (client: Pick<Transaction, '$queryRaw'>, id: string, { caller }: Context): Promise<FlatRow[]> =>
  client.$queryRaw<FlatRow[]>`
    ${SELECT_PLACED} WHERE w.id = ${id}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;

/** Whoever may not see a workflow of their vault is told the same as of one that is not there. @throws NotFoundError, ForbiddenError */
export function admit<W extends { spaceId: string }>(found: W | null | undefined, context: Context): W {
  if (!found) throw new NotFoundError('Workflow');
  context.requireSpaceRole(found.spaceId, 'Workflow');
  return found;
}
