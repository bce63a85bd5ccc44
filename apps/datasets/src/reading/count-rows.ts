import { compileCondition } from '@millrace/query/compile/compile-condition';
import { compileCount } from '@millrace/query/compile/compile-count';
import type { SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/fields/condition';
import type { ReadSession } from './read-session.js';

/** If more rows match, the response has an estimate. */
export const MAX_EXACT_COUNT = 100_000;

/** Counts the rows that match. @param limit stops counting at one row above it */
export async function countRows(
  session: ReadSession,
  table: string,
  condition: Condition | null,
  limit?: number,
): Promise<number> {
  const { rows } = await session.run(compileCount(table, condition, limit));
  return Number(rows[0]?.[0]);
}

/** The planner's estimate of how many rows match. It reads statistics and no rows. */
export async function estimateRows(session: ReadSession, table: string, condition: Condition | null): Promise<number> {
  const { text, values } = compileCondition(condition);
  const explain: SqlText = { text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table} WHERE ${text}`, values };
  const { rows } = await session.run(explain);
  const [[[plan]]] = rows as unknown as [[[{ Plan: { 'Plan Rows': number } }]]];
  return plan.Plan['Plan Rows'];
}
