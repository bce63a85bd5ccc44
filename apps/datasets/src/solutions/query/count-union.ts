import type { querySolution } from '@millrace/contracts/datasets/solutions';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Page } from '@millrace/query/compile/compile-page';
import type { LiveShape } from '../../reading/live-shape.js';
import type { ReadSession } from '../../reading/read-session.js';
import { countRows, estimateRows, MAX_EXACT_COUNT } from '../../reading/row-counter.js';

interface Count {
  count?: number;
  count_is_estimate?: boolean;
}

/**
 * Counts the matching rows of several tables together. The count is exact if counting is quick or if the request demands
 * it, and otherwise the planner's estimate.
 * @param page its number of rows, and whether no rows follow it
 */
export async function countUnion(
  session: ReadSession,
  shapes: readonly LiveShape[],
  pages: readonly Page[],
  query: Pick<Input<typeof querySolution>['query'], 'count' | 'cursor'>,
  page: { rows: number; isLast: boolean },
): Promise<Count> {
  if (query.count === 'none') return {};
  if (query.cursor === undefined && page.isLast) return { count: page.rows };
  const totalRows = shapes.reduce((sum, { rows }) => sum + rows, 0);
  if (pages.every(({ condition }) => condition === null)) return { count: totalRows };
  if (session.isBroken) return { count: page.rows + 1, count_is_estimate: true };
  const isEstimate = query.count === 'auto' && totalRows > MAX_EXACT_COUNT;
  const countOne = isEstimate ? estimateRows : countRows;
  let count = 0;
  for (const { table, condition } of pages) count += await countOne(session, table, condition);
  if (!isEstimate) return { count };
  return { count: Math.max(page.rows, Math.min(totalRows, count)), count_is_estimate: true };
}
