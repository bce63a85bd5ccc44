import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withCount = { _count: { select: { datasets: true } } } as const satisfies Prisma.SolutionInclude;

export type CountedSolution = Prisma.SolutionGetPayload<{ include: typeof withCount }>;

/** Finds a solution that the caller may use as the operation declares. @throws NotFoundError, ForbiddenError */
export async function findSolution(
  client: Pick<Transaction, 'solution'>,
  id: string,
  context: Context,
): Promise<CountedSolution> {
  const where = { id, ...inVault(context.caller) };
  const solution = isId(id) ? await client.solution.findFirst({ where, include: withCount }) : null;
  if (!solution) throw new NotFoundError(`Solution ${id}`);
  context.requireSpaceRoleUnlessPublic(solution.spaceId, `Solution ${id}`, solution.isPublic);
  return solution;
}
