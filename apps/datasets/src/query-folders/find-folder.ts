import type { getQueryFolder } from '@millrace/contracts/datasets/query-folders';
import { ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { queryableSolutions } from '../solutions/find-solution.js';

/** Prisma include for the number of the folder's views that the caller may query. */
export const countQueryableViews = (caller: Caller) =>
  ({
    _count: { select: { views: { where: { view: { solution: queryableSolutions(caller) } } } } },
  }) satisfies Prisma.QueryFolderInclude;

type CountedFolder = Prisma.QueryFolderGetPayload<{ include: ReturnType<typeof countQueryableViews> }>;

/**
 * Finds a query folder that the caller may see: one of the vault, or of a space that they may query.
 * @param id digits
 * @throws NotFoundError
 */
export async function findFolder(
  client: Pick<Transaction, 'queryFolder'>,
  id: string,
  context: Context,
): Promise<CountedFolder> {
  const where = { id: toNumericId(id), ...inVault(context.caller) };
  const folder = await client.queryFolder.findFirst({ where, include: countQueryableViews(context.caller) });
  if (!folder) throw new NotFoundError(`Query folder ${id}`);
  if (folder.spaceId !== null) context.requireSpaceRole(folder.spaceId, `Query folder ${id}`, 'space.query');
  return folder;
}

/**
 * Finds a query folder that the caller may change. A folder of a space requires the permission to edit there; a folder of
 * the vault requires that the caller is its author or at least `space_admin`.
 * @throws NotFoundError, ForbiddenError
 */
export async function findEditableFolder(
  client: Pick<Transaction, 'queryFolder'>,
  id: string,
  context: Context,
): Promise<CountedFolder> {
  const folder = await findFolder(client, id, context);
  const { user, vaultRole } = context.caller;
  if (folder.spaceId !== null) context.requireSpaceRole(folder.spaceId, `Query folder ${id}`, 'space.edit');
  else if (folder.author !== user && !hasVaultRole(vaultRole, 'space_admin')) {
    throw new ForbiddenError('Only the author or a space administrator of the vault may change this query folder.');
  }
  return folder;
}

export const toQueryFolder = (row: CountedFolder): Result<typeof getQueryFolder> => ({
  id: String(row.id),
  vaultId: row.vaultId,
  ...(row.workflowId !== null && { workflowId: row.workflowId }),
  ...(row.spaceId !== null && { workspaceId: row.spaceId }),
  name: row.name,
  ...(row.color && { color: row.color }),
  ...(row.icon && { icon: row.icon }),
  sortOrder: row.sortOrder,
  queryCount: row._count.views,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.modifiedAt.toISOString(),
});
