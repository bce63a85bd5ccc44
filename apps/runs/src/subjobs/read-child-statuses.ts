import type { Result } from '@millrace/contracts/kit/operation';
import { DURATION_DIGITS, DURATION_STEPS, STATUS_LETTERS } from '@millrace/contracts/runs/child-status-text';
import type { listChildStatuses } from '@millrace/contracts/runs/child-statuses';
import type { Database } from '@millrace/persistence/database';
import { type Run, Prisma, type Subjob } from '@millrace/persistence/generated/client';

const LETTER_OF_STATUS = Prisma.sql`CASE status ${Prisma.join(
  Object.entries(STATUS_LETTERS).map(([status, letter]) => Prisma.sql`WHEN ${status} THEN ${letter}`),
  ' ',
)} END`;

/** The character of a digit, from 0 to 63. */
const digit = (value: Prisma.Sql) => Prisma.sql`substr(${DURATION_DIGITS}, 1 + ${value}, 1)`;

/** 86 days. Two digits cannot express more. */
const MAX_DURATION_MS = 7.5e9;

interface Row {
  seq: number;
  count: number | null;
  statuses: string;
  durations: string;
}

/**
 * Reads the statuses of children as strings, which Postgres makes: 100,000 rows would occupy this process for half a second. One
 * statement has one snapshot, so the statuses are those after change `seq` of the run, no earlier and no later.
 * @returns null if the run or the group was deleted in the meantime
 */
export async function readChildStatuses(
  { client }: Database,
  run: Pick<Run, 'id'>,
  group: Pick<Subjob, 'id' | 'step' | 'task'>,
  { from, limit }: { from: number; limit: number },
): Promise<Result<typeof listChildStatuses> | null> {
  const at = new Date();
  const first = Math.max(1, from);
  // A child has no children, whatever its step has.
  const last = group.task === 0 ? first + limit - 1 : 0;
  // The index (run, step, task) has the children in their order.
  const [row] = await client.$queryRaw<Row[]>`
    SELECT r.change_seq AS seq, g.task_count AS count, c.statuses, c.durations
    FROM runs.run r JOIN runs.subjob g ON g.id = ${group.id} AND g.run_id = r.id CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(letter, ''), '') AS statuses,
        coalesce(string_agg(CASE WHEN n IS NULL THEN '..' ELSE ${digit(Prisma.sql`n / 64`)} || ${digit(Prisma.sql`n % 64`)} END, ''), '') AS durations
      FROM (
        SELECT ${LETTER_OF_STATUS} AS letter, round(${DURATION_STEPS}::float8 * ln(1 + ms))::int AS n
        FROM (
          SELECT status, CASE WHEN status <> 'PENDING' AND started_at IS NOT NULL
            THEN least(${MAX_DURATION_MS}::float8, greatest(0, 1000 * extract(epoch FROM coalesce(finished_at, ${at}::timestamptz) - started_at)::float8)) END AS ms
          FROM runs.subjob WHERE run_id = ${run.id} AND step = ${group.step} AND task BETWEEN ${first}::bigint AND ${last}::bigint AND task > 0
          ORDER BY task) AS child) AS encoded) AS c
    WHERE r.id = ${run.id} AND r.deleted_at IS NULL`;
  if (!row) return null;
  const { seq, statuses, durations } = row;
  const count = group.task === 0 ? (row.count ?? 0) : 0;
  const next = first + statuses.length;
  const isLast = next > count || (statuses.length === 0 && limit > 0);
  return { seq, at: at.toISOString(), count, from: first, statuses, durations, next: isLast ? null : next };
}
