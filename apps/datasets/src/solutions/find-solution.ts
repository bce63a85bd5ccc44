import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Solution } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/**
 * A solution that the caller may use as the operation declares.
 * @throws NotFound, Forbidden
 */
export async function findSolution(
  client: Pick<Transaction, 'solution'>,
  id: string,
  context: Context,
): Promise<Solution> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.solution.findFirst({ where }) : null;
  if (!found) throw new NotFound('Solution');
  context.enterOpen(found.spaceId, 'Solution', found.isPublic);
  return found;
}
