import type { querySolution } from '@millrace/contracts/datasets/solutions';
import type { Input } from '@millrace/contracts/kit/operation';
import type { Page } from '@millrace/query/compile/compile-page';
import { countRows, estimateRows, MAX_EXACT_COUNT } from '../../reading/count-rows.js';
import type { LiveShape } from '../../reading/live-shape.js';
import type { ReadSession } from '../../reading/read-session.js';

interface Count {
  count?: number;
  count_is_estimate?: boolean;
}

/**
 * How many rows of several tables match, as of one table: exact where it is quick to count or was asked for, else what
 * the planner takes it to be.
 * @param shown rows of this page; `isAll` where none are behind it
 */
export async function countUnion(
  session: ReadSession,
  shapes: readonly LiveShape[],
  pages: readonly Page[],
  asked: Pick<Input<typeof querySolution>['query'], 'count' | 'cursor'>,
  shown: { first: number; isAll: boolean },
): Promise<Count> {
  if (asked.count === 'none') return {};
  if (asked.cursor === undefined && shown.isAll) return { count: shown.first };
  const all = shapes.reduce((sum, { rows }) => sum + rows, 0);
  if (pages.every(({ condition }) => condition === null)) return { count: all };
  if (session.isBroken) return { count: shown.first + 1, count_is_estimate: true };
  const isEstimate = asked.count === 'auto' && all > MAX_EXACT_COUNT;
  const take = isEstimate ? estimateRows : countRows;
  let count = 0;
  for (const { table, condition } of pages) count += await take(session, table, condition);
  if (!isEstimate) return { count };
  return { count: Math.max(shown.first, Math.min(all, count)), count_is_estimate: true };
}
