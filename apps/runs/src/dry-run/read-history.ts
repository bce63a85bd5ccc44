import type { Database } from '@millrace/persistence/database';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { pairSteps, type EarlierRun } from './read-earlier-runs.js';

/** What earlier runs say about a step: medians of the executions that succeeded. */
export interface StepHistory {
  durationMs: number;
  units: number;
  runs: number;
}

export interface History {
  /** By index of the step. */
  steps: ReadonlyMap<number, StepHistory>;
  /** The median number of children, by index of the step. */
  children: ReadonlyMap<number, number>;
}

/** Children of one run whose durations are read. */
const MAX_SAMPLED = 20;

/** Reads durations and costs. Results that came from the cache cost nothing and do not count. */
export async function readHistory(
  { client }: Database,
  plan: PlanIndex,
  earlier: readonly EarlierRun[],
): Promise<History> {
  const { target, run, step, scoped } = pairSteps(plan, earlier);
  if (target.length === 0) return { steps: new Map(), children: new Map() };
  const rows = await client.$queryRaw<({ target: number } & StepHistory)[]>`
    SELECT w.target, count(DISTINCT w.run)::int AS runs,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM s.finished_at - s.started_at) * 1000)::float8 AS "durationMs",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY s.execution_units)::float8 AS units
    FROM unnest(${target}::int[], ${run}::bigint[], ${step}::int[], ${scoped}::boolean[]) AS w(target, run, step, scoped)
    CROSS JOIN LATERAL (
      SELECT * FROM runs.subjob s
      WHERE s.run_id = w.run AND s.step = w.step AND s.task BETWEEN w.scoped::int AND w.scoped::int * ${MAX_SAMPLED}::int) s
    WHERE s.status = 'SUCCEEDED' AND s.cached_from IS NULL AND s.started_at IS NOT NULL AND s.finished_at IS NOT NULL
    GROUP BY w.target`;
  const groups = await client.$queryRaw<{ target: number; children: number }[]>`
    SELECT w.target, percentile_disc(0.5) WITHIN GROUP (ORDER BY s.task_count) AS children
    FROM unnest(${target}::int[], ${run}::bigint[], ${step}::int[], ${scoped}::boolean[]) AS w(target, run, step, scoped)
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = 0 AND s.task_count IS NOT NULL
    WHERE w.scoped GROUP BY w.target`;
  return {
    steps: new Map(rows.map(({ target: index, ...history }) => [index, history])),
    children: new Map(groups.map(({ target: index, children }) => [index, children])),
  };
}
