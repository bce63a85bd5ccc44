import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withCount = { _count: { select: { datasets: true } } } as const satisfies Prisma.SolutionInclude;

export type CountedSolution = Prisma.SolutionGetPayload<{ include: typeof withCount }>;

/** A solution that the caller may use as the operation declares. @throws NotFoundError, ForbiddenError */
export async function findSolution(
  client: Pick<Transaction, 'solution'>,
  id: string,
  context: Context,
): Promise<CountedSolution> {
  const where = { id, ...inVault(context.caller) };
  const found = isId(id) ? await client.solution.findFirst({ where, include: withCount }) : null;
  if (!found) throw new NotFoundError('Solution');
  context.requireSpaceRoleUnlessPublic(found.spaceId, 'Solution', found.isPublic);
  return found;
}
