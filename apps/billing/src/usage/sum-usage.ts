import type { UsageGroup } from '@millrace/contracts/billing/usage';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { UsageRange } from './usage-range.js';

export interface UsageSums {
  units: bigint;
  cpuMs: number;
  subjobs: bigint;
  runs: bigint;
}

/** `key` is the day or the id; null means that the space is unknown. */
export type UsageGroupSums = UsageSums & { key: string | null };

const SUMS = Prisma.sql`
  coalesce(sum(units), 0)::bigint AS units, coalesce(sum(cpu_ms), 0)::float8 AS "cpuMs", count(*) AS subjobs,
  count(DISTINCT run) AS runs`;

/** SQL of the group key. Days are in UTC. */
const KEYS: Record<UsageGroup, Prisma.Sql> = {
  day: Prisma.sql`to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  workflow: Prisma.sql`workflow_id::text`,
  space: Prisma.sql`space_id::text`,
};

const within = ({ vault, from, to }: UsageRange): Prisma.Sql => Prisma.sql`
  FROM billing.usage_entry
  WHERE vault_id = ${vault}::uuid AND finished_at >= ${from}::timestamptz AND finished_at < ${to}::timestamptz`;

/** A page of groups: days in ascending order, other groups by descending usage. */
export async function sumGroups(
  { client }: Database,
  range: UsageRange,
  group: UsageGroup,
  page: { take: number; skip: number },
): Promise<{ groups: UsageGroupSums[]; count: number; total: UsageSums }> {
  const order = group === 'day' ? Prisma.sql`key` : Prisma.sql`units DESC, key`;
  const [groups, [total]] = await Promise.all([
    client.$queryRaw<UsageGroupSums[]>`
      SELECT ${KEYS[group]} AS key, ${SUMS} ${within(range)} GROUP BY 1
      ORDER BY ${order} LIMIT ${page.take}::int OFFSET ${page.skip}::int`,
    client.$queryRaw<(UsageSums & { count: bigint })[]>`
      SELECT ${SUMS}, count(DISTINCT coalesce(${KEYS[group]}, '')) AS count ${within(range)}`,
  ]);
  if (!total) throw new Error('An aggregate without GROUP BY must return one row');
  return { groups, count: Number(total.count), total };
}

/** Groups after the key `after`, in the order of their keys; the group without a key comes first. */
export const listGroups = (
  { client }: Database,
  range: UsageRange,
  group: UsageGroup,
  { take, after }: { take: number; after: string | null },
): Promise<UsageGroupSums[]> =>
  client.$queryRaw<UsageGroupSums[]>`
    SELECT ${KEYS[group]} AS key, ${SUMS} ${within(range)}
      AND (${after}::text IS NULL OR ${KEYS[group]} COLLATE "C" > ${after}::text COLLATE "C")
    GROUP BY 1 ORDER BY ${KEYS[group]} COLLATE "C" NULLS FIRST LIMIT ${take}::int`;
