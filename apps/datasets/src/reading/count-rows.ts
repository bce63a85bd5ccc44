import { compileCondition } from '@millrace/query/compile/compile-condition';
import { compileCount } from '@millrace/query/compile/compile-count';
import type { SqlText } from '@millrace/query/fields/column';
import type { Condition } from '@millrace/query/parse/condition';
import type { ReadSession } from './read-session.js';

/** Beyond this an answer has an estimate. */
export const MAX_EXACT_COUNT = 100_000;

/** How many rows match. @param upTo looks no further than one row above it */
export async function countRows(
  session: ReadSession,
  table: string,
  condition: Condition | null,
  upTo?: number,
): Promise<number> {
  const { rows } = await session.run(compileCount(table, condition, upTo));
  return Number(rows[0]?.[0]);
}

/** How many rows the planner takes to match: it looks at its statistics and at no row. */
export async function estimateRows(session: ReadSession, table: string, condition: Condition | null): Promise<number> {
  const { text, values } = compileCondition(condition);
  const explain: SqlText = { text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table} WHERE ${text}`, values };
  const { rows } = await session.run(explain);
  const [[[plan]]] = rows as unknown as [[[{ Plan: { 'Plan Rows': number } }]]];
  return plan.Plan['Plan Rows'];
}
