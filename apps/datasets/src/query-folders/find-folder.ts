import { ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { queryableSolutions } from '../solutions/queryable-solutions.js';

/** With the number of its views that the caller may query. */
export const countQueryableViews = (caller: Caller) =>
  ({
    _count: { select: { views: { where: { view: { solution: queryableSolutions(caller) } } } } },
  }) satisfies Prisma.QueryFolderInclude;

export type CountedFolder = Prisma.QueryFolderGetPayload<{ include: ReturnType<typeof countQueryableViews> }>;

/**
 * A query folder that the caller may see: one of the vault, or of a space that they may query.
 * @param id digits
 * @throws NotFoundError
 */
export async function findFolder(
  client: Pick<Transaction, 'queryFolder'>,
  id: string,
  context: Context,
): Promise<CountedFolder> {
  const where = { id: BigInt(id), ...inVault(context.caller) };
  const found = await client.queryFolder.findFirst({ where, include: countQueryableViews(context.caller) });
  if (!found) throw new NotFoundError('Query folder');
  if (found.spaceId !== null) context.requireSpaceRole(found.spaceId, 'Query folder', 'space.query');
  return found;
}

/**
 * One that they may change: who edits in its space, and of one of the vault its author and those who organize the vault.
 * @throws NotFoundError, ForbiddenError
 */
export async function findEditableFolder(
  client: Pick<Transaction, 'queryFolder'>,
  id: string,
  context: Context,
): Promise<CountedFolder> {
  const found = await findFolder(client, id, context);
  const { user, vaultRole } = context.caller;
  if (found.spaceId !== null) context.requireSpaceRole(found.spaceId, 'Query folder', 'space.edit');
  else if (found.author !== user && !hasVaultRole(vaultRole, 'space_admin')) throw new ForbiddenError();
  return found;
}
