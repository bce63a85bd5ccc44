import type { listDatasets } from '@millrace/contracts/datasets/datasets';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction, Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { inVault, inQueryableSpaces } from '@millrace/persistence/tenancy';

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

type Query = Input<typeof listDatasets>['query'];

const FIELDS = { created_date: 'createdAt', modified_date: 'modifiedAt', row_count: 'rows' };
const withKey = {
  columns: { where: { keyPosition: { not: null } }, select: { name: true, keyPosition: true } },
} as const satisfies Prisma.DatasetInclude;

/** Finds a page of the Live Tables that the caller may query. */
export async function findDatasetPage({ dataset }: Pick<Database['client'], 'dataset'>, query: Query, caller: Caller) {
  const where = {
    AND: [
      queryableFilter(caller),
      idFilter('solutionId', query.solution),
      idFilter('solutionId', query['solution[id]']),
      idFilter('spaceId', query.space),
      searchFilter(query.search, ['name', 'description']),
    ],
    ...inVault(caller),
  };
  const [rows, count] = await Promise.all([
    dataset.findMany({ where, include: withKey, ...pageArgs(query, FIELDS) }),
    dataset.count({ where }),
  ]);
  return { rows, count };
}

/** Prisma matches nothing for an empty filter in an OR list, so a caller with access to all spaces gets no OR. */
const queryableFilter = (caller: Caller): Prisma.DatasetWhereInput =>
  caller.spaces === 'all' ? {} : { OR: [inQueryableSpaces(caller), { solution: { isPublic: true } }] };

/** An absent or empty id does not filter. A malformed id matches nothing. */
function idFilter(field: 'solutionId' | 'spaceId', id: string | undefined): Prisma.DatasetWhereInput {
  if (id === undefined || id === '') return {};
  return isId(id) ? { [field]: id } : { id: { in: [] } };
}
