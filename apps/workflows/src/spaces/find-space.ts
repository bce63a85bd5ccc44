import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { withCounts, type CountedSpace } from './to-space.js';

/**
 * Finds a space and checks the caller's role in it, as the operation requires.
 * @param by another row of the permission matrix to check instead, for operations that move or copy something into the
 *   space
 * @throws NotFoundError, ForbiddenError
 */
export async function findSpace(
  client: Pick<Transaction, 'space'>,
  id: string,
  context: Context,
  by?: Permission,
): Promise<CountedSpace> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.space.findFirst({ where, include: withCounts }) : null;
  if (!found) throw new NotFoundError(`Space ${id}`);
  context.requireSpaceRole(found.id, `Space ${id}`, by);
  return found;
}
