import type { getView } from '@millrace/contracts/datasets/views';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { View } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { findSolution } from '../solutions/find-solution.js';

/** Finds a view of a solution that the caller may use as the operation declares. @throws NotFoundError, ForbiddenError */
export async function findView(
  client: Pick<Transaction, 'solution' | 'view'>,
  { solutionId: solution, viewId: id }: { solutionId: string; viewId: string },
  context: Context,
): Promise<View> {
  const { id: solutionId } = await findSolution(client, solution, context);
  const view = isId(id) ? await client.view.findFirst({ where: { id, solutionId } }) : null;
  if (!view) throw new NotFoundError(`View ${id}`);
  return view;
}

export const toView = (row: View): Result<typeof getView> => ({
  id: row.id,
  name: row.name,
  ...(row.description && { description: row.description }),
  dataset: row.datasetId,
  solution: row.solutionId,
  ...(row.select !== '' && { select: row.select }),
  ...(row.order !== '' && { order: row.order }),
  ...(row.q !== '' && { q: row.q }),
  author: row.author,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
