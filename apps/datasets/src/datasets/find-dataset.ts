import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withColumns = {
  solution: { select: { isPublic: true } },
  columns: { orderBy: { number: 'asc' } },
} as const satisfies Prisma.DatasetInclude;

/** A Live Table with its columns. */
export type FullDataset = Prisma.DatasetGetPayload<{ include: typeof withColumns }>;

/**
 * Finds a Live Table that the caller may use as the operation declares.
 * @throws NotFoundError, ForbiddenError
 */
export async function findDataset(
  client: Pick<Transaction, 'dataset'>,
  id: string,
  context: Context,
): Promise<FullDataset> {
  const where = { id, ...inVault(context.caller) };
  const dataset = isId(id) ? await client.dataset.findFirst({ where, include: withColumns }) : null;
  if (!dataset) throw new NotFoundError(`Live Table ${id}`);
  context.requireSpaceRoleUnlessPublic(dataset.spaceId, `Live Table ${id}`, dataset.solution.isPublic);
  return dataset;
}
