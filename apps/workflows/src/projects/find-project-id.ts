import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/**
 * Reads the id of the project that a workflow is put into. Undefined stays undefined; null and an empty string mean no
 * project.
 * @param field the request field that contains the id
 * @throws NotFoundError; ValidationError for a project of another space
 */
export async function findProjectId(
  tx: Pick<Transaction, 'project'>,
  id: string | null | undefined,
  spaceId: string,
  context: Context,
  field: string,
): Promise<string | null | undefined> {
  if (id === undefined) return undefined;
  if (id === null || id === '') return null;
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await tx.project.findFirst({ where, select: { id: true, spaceId: true } }) : null;
  if (!found) throw new NotFoundError(`Project ${id}`);
  if (found.spaceId !== spaceId) {
    throw new ValidationError({ [field]: `must be a project of space ${spaceId} (project ${id} is in another space)` });
  }
  return found.id;
}
