import type { copySolution } from '@millrace/contracts/datasets/solutions';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Solution } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { queryableSolutions } from '../find-solution.js';

/** Candidates that the error lists if several solutions have the requested name. */
const MAX_CANDIDATES = 100;

/**
 * Finds the solution to copy, by its id or else by its name, among those that the caller may query.
 * @throws NotFoundError; ValidationError with the candidates if several solutions have the name
 */
export async function findSourceSolution(
  client: Pick<Transaction, 'solution'>,
  { solution: id, name }: Input<typeof copySolution>['body'],
  { caller }: Context,
): Promise<Solution> {
  if (id !== undefined && !isId(id)) throw new NotFoundError(`Solution ${id}`);
  const solutions = await client.solution.findMany({
    where: { AND: [queryableSolutions(caller), id === undefined ? { name } : { id }] },
    orderBy: { id: 'asc' },
    take: MAX_CANDIDATES,
  });
  const [only, ...others] = solutions;
  if (!only) throw new NotFoundError(`Solution ${id ?? JSON.stringify(name)}`);
  if (others.length === 0) return only;
  const candidates = solutions.map((row) => ({ id: row.id, name: row.name, space: row.spaceId }));
  const problem = `must be the name of one solution, but several have it; choose one by its id in \`solution\``;
  throw new ValidationError({ 'body.name': problem, candidates });
}
