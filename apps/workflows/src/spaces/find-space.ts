import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { type Permission, hasSpaceRole } from '@millrace/contracts/kit/permissions';
import type { getSpace } from '@millrace/contracts/workflows/spaces';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Space } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

/**
 * Finds a space and checks the caller's role in it, as the operation requires.
 * @param by another row of the permission matrix to check instead, for operations that move or copy something into the
 *   space
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
  if (!found) throw new NotFoundError(`Space ${id}`);
  context.requireSpaceRole(found.id, `Space ${id}`, by);
  return found;
}

/** Loads spaces with their counts, in one query for all of them. */
export const withCounts = { _count: { select: { projects: true, workflows: true } } } as const;

interface CountedSpace extends Space {
  _count: { projects: number; workflows: number };
}

export const toSpace = (row: CountedSpace, { spaces }: Pick<Caller, 'spaces'>): Result<typeof getSpace> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  vault_info: row.vaultId,
  ...(row.color && { color: row.color }),
  playground: row.playground,
  role: spaces === 'all' ? 'owner' : (spaces[row.id] ?? null),
  author: row.author,
  author_info: row.author,
  projects_count: row._count.projects,
  workflows_count: row._count.workflows,
  ...(row.metadata !== null && { metadata: row.metadata as Record<string, unknown> }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

/** Whether the caller may edit in a space. */
export function canEdit({ spaces }: Caller, space: string): boolean {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'write');
}
