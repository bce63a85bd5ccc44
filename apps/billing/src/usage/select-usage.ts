import type { UsageGroup } from '@millrace/contracts/billing/usage';
import { Prisma } from '@millrace/persistence/generated/client';
import { NO_SPACE, roundedCpuMs } from './usage-days.js';
import type { UsageRange } from './usage-range.js';

/** How one grouping reads the ledger's entries `e` and its rolled-up days `d`. */
interface Grouping {
  entryKey: Prisma.Sql;
  dayKey: Prisma.Sql;
  /** Whether the runs of a row of `usage_day` are counted, because no earlier day of the group contains them. */
  isFirstDay: (firstDay: string) => Prisma.Sql;
  /** Whether a rolled-up day `r` of the group contains the run of an entry. */
  isRolledUp: (firstDay: string) => Prisma.Sql;
}

const ENTRY_DAY = Prisma.sql`(e.finished_at AT TIME ZONE 'UTC')::date`;

const ofAnySpace = {
  isFirstDay: (firstDay: string) => Prisma.sql`d.former_day < ${firstDay}::date`,
  isRolledUp: (firstDay: string) => Prisma.sql`r.last_day >= ${firstDay}::date`,
};

const GROUPINGS: Record<UsageGroup | 'total', Grouping> = {
  total: { entryKey: Prisma.sql`''`, dayKey: Prisma.sql`''`, ...ofAnySpace },
  workflow: { entryKey: Prisma.sql`e.workflow_id::text`, dayKey: Prisma.sql`d.workflow_id::text`, ...ofAnySpace },
  // Days are in UTC.
  day: {
    entryKey: Prisma.sql`to_char(e.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
    dayKey: Prisma.sql`to_char(d.day, 'YYYY-MM-DD')`,
    isFirstDay: () => Prisma.sql`d.former_day < d.day`,
    isRolledUp: () => Prisma.sql`r.last_day = ${ENTRY_DAY}`,
  },
  space: {
    entryKey: Prisma.sql`e.space_id::text`,
    dayKey: Prisma.sql`nullif(d.space_id, ${NO_SPACE}::uuid)::text`,
    isFirstDay: (firstDay) => Prisma.sql`d.former_day_in_space < ${firstDay}::date`,
    isRolledUp: (firstDay) =>
      Prisma.sql`r.last_day >= ${firstDay}::date AND r.space_id = coalesce(e.space_id, ${NO_SPACE}::uuid)`,
  },
};

/** The first day that begins at or after a moment. */
const dayFrom = (moment: string): string => new Date(Date.parse(moment) + 86_400_000 - 1).toISOString().slice(0, 10);

/**
 * SQL of the usage within a range, with the columns `key`, `units`, `cpuMs`, `subjobs` and `runs`. A rolled-up day is in
 * the range if it begins in it. It sums to the same values before and after entries are rolled up.
 */
export function selectUsage({ vault, from, to }: UsageRange, group: UsageGroup | 'total'): Prisma.Sql {
  const { entryKey, dayKey, isFirstDay, isRolledUp } = GROUPINGS[group];
  const [firstDay, endDay] = [dayFrom(from), dayFrom(to)];
  return Prisma.sql`
    SELECT key, sum(units)::bigint AS units, sum(cpu_ms)::float8 AS "cpuMs", sum(subjobs)::bigint AS subjobs,
      sum(runs)::bigint AS runs
    FROM (
      SELECT ${entryKey} AS key, sum(e.units) AS units, sum(${roundedCpuMs}) AS cpu_ms, count(*) AS subjobs,
        count(DISTINCT e.run) FILTER (WHERE NOT EXISTS (
          SELECT 1 FROM billing.usage_run r
          WHERE r.run = e.run AND r.vault_id = ${vault}::uuid AND ${isRolledUp(firstDay)})) AS runs
      FROM billing.usage_entry e
      WHERE e.vault_id = ${vault}::uuid AND e.finished_at >= ${from}::timestamptz AND e.finished_at < ${to}::timestamptz
      GROUP BY 1
      UNION ALL
      SELECT ${dayKey}, sum(d.units), sum(d.cpu_ms), sum(d.subjobs),
        coalesce(sum(d.runs) FILTER (WHERE ${isFirstDay(firstDay)}), 0)
      FROM billing.usage_day d
      WHERE d.vault_id = ${vault}::uuid AND d.day >= ${firstDay}::date AND d.day < ${endDay}::date
      GROUP BY 1) AS parts
    GROUP BY key`;
}
