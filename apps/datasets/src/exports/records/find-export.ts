import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';
import { notDeleted } from './deleted-exports.js';

/**
 * An export of a table that the caller may query, also where the table is gone since.
 * @param by what is asked where the operation itself wants no role in a space
 * @throws NotFoundError, ForbiddenError
 */
export async function findExport(
  client: Pick<Database['client'], 'export' | 'solution'>,
  id: string,
  context: Context,
  by?: Permission,
): Promise<Export> {
  const where = { id: BigInt(id), ...inVault(context.caller), ...notDeleted };
  const found = await client.export.findFirst({ where });
  if (!found) throw new NotFoundError('Export');
  const ofVault = { id: found.solutionId, ...inVault(context.caller) };
  const solution = await client.solution.findFirst({ where: ofVault, select: { isPublic: true } });
  const open = solution?.isPublic ?? false;
  if (by === undefined) context.requireSpaceRoleUnlessPublic(found.spaceId, 'Export', open);
  else if (!open) context.requireSpaceRole(found.spaceId, 'Export', by);
  return found;
}
