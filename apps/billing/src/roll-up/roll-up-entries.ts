import type { Transaction } from '@millrace/persistence/database';
import { NO_DAY, NO_SPACE, roundedCpuMs, USAGE_RANGE_DAYS } from '../usage/usage-days.js';

/** One copy of the service rolls up at a time, because `former_day` depends on the entries that were rolled up before. */
const ROLL_UP_LOCK = 7_310_402;

/**
 * Moves the oldest entries of a vault from before a month into the sums of their days, each of them once: they are deleted
 * and added in one statement.
 * @param month first day of the first month that is not rolled up
 * @returns how many entries were moved; 0 if none is left or another copy of the service is rolling up
 */
export async function rollUpEntries(
  tx: Transaction,
  vault: string,
  { month, limit }: { month: string; limit: number },
): Promise<number> {
  const [lock] = await tx.$queryRaw<{ locked: boolean }[]>`SELECT pg_try_advisory_xact_lock(${ROLL_UP_LOCK}) AS locked`;
  if (!lock?.locked) return 0;
  await tx.$executeRaw`SELECT set_config('billing.rolling_up', 'on', true)`;
  const [moved] = await tx.$queryRaw<{ count: bigint }[]>`
    WITH oldest AS MATERIALIZED (
      SELECT subjob, attempt FROM billing.usage_entry
      WHERE vault_id = ${vault}::uuid AND finished_at < (${month}::date)::timestamp AT TIME ZONE 'UTC'
      ORDER BY finished_at LIMIT ${limit}::int),
    moved AS (
      DELETE FROM billing.usage_entry e USING oldest o WHERE e.subjob = o.subjob AND e.attempt = o.attempt
      RETURNING e.run, e.workflow_id AS workflow, coalesce(e.space_id, ${NO_SPACE}::uuid) AS space, e.units,
        ${roundedCpuMs} AS cpu_ms, (e.finished_at AT TIME ZONE 'UTC')::date AS day),
    used AS (
      SELECT run, workflow, space, day, sum(units) AS units, sum(cpu_ms) AS cpu_ms, count(*) AS subjobs
      FROM moved GROUP BY run, workflow, space, day),
    known AS (SELECT run, max(last_day) AS last_day FROM billing.usage_run WHERE run IN (SELECT run FROM used) GROUP BY run),
    counted AS (
      SELECT u.*, greatest(lag(u.day) OVER (PARTITION BY u.run ORDER BY u.day, u.space), k.last_day) AS former,
        greatest(lag(u.day) OVER (PARTITION BY u.run, u.space ORDER BY u.day), s.last_day) AS former_in_space
      FROM used u LEFT JOIN known k ON k.run = u.run
      LEFT JOIN billing.usage_run s ON s.run = u.run AND s.space_id = u.space),
    remembered AS (
      INSERT INTO billing.usage_run AS r (run, space_id, vault_id, last_day)
      SELECT run, space, ${vault}::uuid, max(day) FROM used GROUP BY run, space
      ON CONFLICT (run, space_id) DO UPDATE SET last_day = greatest(r.last_day, excluded.last_day)),
    added AS (
      INSERT INTO billing.usage_day AS d
        (vault_id, day, workflow_id, space_id, former_day, former_day_in_space, units, cpu_ms, subjobs, runs)
      SELECT ${vault}::uuid, day, workflow, space,
        CASE WHEN former > day - ${USAGE_RANGE_DAYS}::int THEN former ELSE ${NO_DAY}::date END,
        CASE WHEN former_in_space > day - ${USAGE_RANGE_DAYS}::int THEN former_in_space ELSE ${NO_DAY}::date END,
        sum(units), sum(cpu_ms), sum(subjobs), count(*)
      FROM counted GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (vault_id, day, workflow_id, space_id, former_day, former_day_in_space) DO UPDATE
        SET units = d.units + excluded.units, cpu_ms = d.cpu_ms + excluded.cpu_ms,
          subjobs = d.subjobs + excluded.subjobs, runs = d.runs + excluded.runs)
    SELECT count(*) AS count FROM moved`;
  return Number(moved?.count ?? 0);
}
