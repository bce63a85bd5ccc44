import type { getSolution } from '@millrace/contracts/datasets/solutions';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';

/** Prisma filter: solutions whose tables the caller may query, through a role in their space or because they are public. */
export function queryableSolutions(caller: Caller): Prisma.SolutionWhereInput {
  if (caller.spaces === 'all') return inVault(caller);
  return { ...inVault(caller), OR: [inQueryableSpaces(caller), { isPublic: true }] };
}

export const withCount = { _count: { select: { datasets: true } } } as const satisfies Prisma.SolutionInclude;

type CountedSolution = Prisma.SolutionGetPayload<{ include: typeof withCount }>;

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

export const toSolution = (row: CountedSolution): Result<typeof getSolution> => ({
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  ...(row.icon && { icon: row.icon }),
  ...(row.color && { color: row.color }),
  space: row.spaceId,
  ...(row.workflowId !== null && { workflow_id: row.workflowId }),
  is_public: row.isPublic,
  author: row.author,
  tags: row.tags,
  datasets_count: row._count.datasets,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
