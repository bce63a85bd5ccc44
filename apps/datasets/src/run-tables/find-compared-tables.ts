import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';

type Client = Pick<Database['client'], 'dataset'>;

/** Finds a page of the tables that one of the runs has loads in and that the caller may query, by id. */
export async function findComparedTables(
  { dataset }: Client,
  { caller }: Context,
  runs: readonly bigint[],
  { cursor, page_size: size }: { cursor?: string | undefined; page_size: number },
): Promise<{ ids: string[]; next: string | null }> {
  if (cursor !== undefined && !isId(cursor)) {
    throw new ValidationError({
      'query.cursor': 'must be the `cursor` of the previous page; without it, the first page is returned',
    });
  }
  const queryable = { OR: [inQueryableSpaces(caller), { solution: { isPublic: true } }] };
  const found = await dataset.findMany({
    where: {
      ...inVault(caller),
      ...(caller.spaces === 'all' ? {} : queryable),
      ...(cursor !== undefined && { id: { gt: cursor } }),
      loads: { some: { runId: { in: [...runs] } } },
    },
    orderBy: { id: 'asc' },
    take: size + 1,
    select: { id: true },
  });
  const ids = found.slice(0, size).map(({ id }) => id);
  return { ids, next: found.length > size ? (ids.at(-1) ?? null) : null };
}

/** @returns the id of a table that the caller may query. @throws NotFoundError */
export async function findComparedTable({ dataset }: Client, context: Context, id: string): Promise<string> {
  const where = { id, ...inVault(context.caller) };
  const include = { solution: { select: { isPublic: true } } };
  const found = isId(id) ? await dataset.findFirst({ where, include }) : null;
  if (!found) throw new NotFoundError(`Live Table ${id}`);
  if (!found.solution.isPublic) context.requireSpaceRole(found.spaceId, `Live Table ${id}`, 'space.query');
  return found.id;
}
