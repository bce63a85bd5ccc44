import type { copySolution } from '@millrace/contracts/datasets/solutions';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Solution } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { queryableSolutions } from '../queryable-solutions.js';

/** Most solutions of one name that are told of. */
const MAX_CANDIDATES = 100;

/**
 * The solution that a request wants to be copied, by its id or else by its name, among those that the caller may query.
 * @throws NotFoundError; ValidationError with the candidates where several bear the name
 */
export async function findSourceSolution(
  client: Pick<Transaction, 'solution'>,
  { solution: id, name }: Input<typeof copySolution>['body'],
  { caller }: Context,
): Promise<Solution> {
  if (id !== undefined && !isId(id)) throw new NotFoundError('Solution');
  const found = await client.solution.findMany({
    where: { AND: [queryableSolutions(caller), id === undefined ? { name } : { id }] },
    orderBy: { id: 'asc' },
    take: MAX_CANDIDATES,
  });
  const [only, ...others] = found;
  if (!only) throw new NotFoundError('Solution');
  if (others.length === 0) return only;
  const candidates = found.map((row) => ({ id: row.id, name: row.name, space: row.spaceId }));
  throw new ValidationError({ 'body.name': 'is the name of several solutions; name one by `solution`', candidates });
}
