import type { Database } from '@millrace/persistence/database';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { pairSteps, type EarlierRun } from './read-earlier-runs.js';

/** The result of a step in an earlier run. */
export interface EarlierResult {
  run: bigint;
  id: bigint;
  status: string;
  key: string | null;
  /** The part of the key that depends on the worker. */
  runner: string | null;
  cachedFrom: bigint | null;
  taskCount: number | null;
  /** The subjob whose result the cache has under the key. */
  entry: bigint | null;
}

/** Reads the results of the steps in earlier runs, by index of the step, the latest run first. */
export async function readResults(
  { client }: Database,
  space: string,
  plan: PlanIndex,
  earlier: readonly EarlierRun[],
): Promise<Map<number, EarlierResult[]>> {
  const { target, run, step } = pairSteps(plan, earlier);
  if (target.length === 0) return new Map();
  const rows = await client.$queryRaw<(EarlierResult & { target: number })[]>`
    SELECT w.target, s.run_id AS run, s.id, s.status, s.cache_key AS key, s.cache_parts->>'runner' AS runner,
      s.cached_from AS "cachedFrom", s.task_count AS "taskCount", e.subjob_id AS entry
    FROM unnest(${target}::int[], ${run}::bigint[], ${step}::int[]) WITH ORDINALITY AS w(target, run, step, position)
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = 0
    LEFT JOIN runs.cache_entry e ON e.space_id = ${space}::uuid AND e.key = s.cache_key
    ORDER BY w.position`;
  return Map.groupBy(rows, (row) => row.target);
}

/** Children that are looked up for one step. */
export const MAX_CHILDREN = 20_000;

export interface ChildResults {
  /** Children that have a result with a key. */
  total: number;
  /** Of these: the cache has a result under the key. */
  cached: number;
  /** Of these: the result is, or is equal to, that of the child. */
  same: number;
  /** Of these: the cache has no result, so that a run that takes over results gets that of the child. */
  own: number;
  runner: string | null;
}

/** Looks up the results of the children of a step in an earlier run. */
export async function readChildResults(
  { client }: Database,
  space: string,
  run: bigint,
  step: number,
): Promise<ChildResults> {
  const [row] = await client.$queryRaw<ChildResults[]>`
    SELECT count(*)::int AS total, count(e.key)::int AS cached, max(s.runner) AS runner,
      (count(*) FILTER (WHERE e.subjob_id = s.id OR e.subjob_id = s.cached_from))::int AS same,
      (count(*) FILTER (WHERE e.key IS NULL))::int AS own
    FROM (SELECT id, cache_key, cached_from, cache_parts->>'runner' AS runner FROM runs.subjob
      WHERE run_id = ${run} AND step = ${step} AND task BETWEEN 1 AND ${MAX_CHILDREN}::int
        AND status = 'SUCCEEDED' AND cache_key IS NOT NULL) s
    LEFT JOIN runs.cache_entry e ON e.space_id = ${space}::uuid AND e.key = s.cache_key`;
  return row ?? { total: 0, cached: 0, same: 0, own: 0, runner: null };
}

/** The numbers of items of the splits of earlier runs, by `<run> <segment>`. */
export async function readSplitCounts(
  { client }: Database,
  earlier: readonly EarlierRun[],
): Promise<Map<string, number>> {
  const pairs = earlier.flatMap(({ id, plan }) =>
    plan.plan.scopes.map(({ index }) => ({ run: String(id), segment: plan.splitSegmentOf(index) })),
  );
  if (pairs.length === 0) return new Map();
  const rows = await client.$queryRaw<{ run: bigint; segment: number; count: number }[]>`
    SELECT s.run_id AS run, s.segment, (s.split->>'count')::int AS count
    FROM unnest(${pairs.map(({ run }) => run)}::bigint[], ${pairs.map(({ segment }) => segment)}::int[]) AS w(run, segment)
    JOIN runs.segment s ON s.run_id = w.run AND s.segment = w.segment AND s.split IS NOT NULL`;
  return new Map(rows.map(({ run, segment, count }) => [`${run} ${segment}`, count]));
}

export async function hasCachedResults({ client }: Database, space: string): Promise<boolean> {
  const [row] = await client.$queryRaw<{ any: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM runs.cache_entry WHERE space_id = ${space}::uuid) AS any`;
  return row?.any ?? false;
}
