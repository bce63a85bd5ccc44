import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { withCounts, type CountedSpace } from './to-space.js';

/**
 * A space that the caller may use as the operation declares.
 * @param by the row of the permission matrix that counts instead, where something is put there from elsewhere
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
  if (!found) throw new NotFoundError('Space');
  context.requireSpaceRole(found.id, 'Space', by);
  return found;
}
