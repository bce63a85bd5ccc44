import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/**
 * Reads the id of a project that a workflow is put into: nothing given stays nothing, null and empty are no project.
 * @param place of the id in the request
 * @throws NotFoundError, or ValidationError for a project of another space
 */
export async function findProjectId(
  tx: Pick<Transaction, 'project'>,
  id: string | null | undefined,
  spaceId: string,
  context: Context,
  place: string,
): Promise<string | null | undefined> {
  if (id === undefined) return undefined;
  if (id === null || id === '') return null;
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await tx.project.findFirst({ where, select: { id: true, spaceId: true } }) : null;
  if (!found) throw new NotFoundError('Project');
  if (found.spaceId !== spaceId) throw new ValidationError({ [place]: 'is a project of another space' });
  return found.id;
}
