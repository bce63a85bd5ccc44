import type { UsageGroup } from '@millrace/contracts/billing/usage';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { selectUsage } from './select-usage.js';
import type { UsageRange } from './usage-range.js';

export interface UsageSums {
  units: bigint;
  cpuMs: number;
  subjobs: bigint;
  runs: bigint;
}

/** `key` is the day or the id; null means that the space is unknown. */
export type UsageGroupSums = UsageSums & { key: string | null };

const NO_USAGE: UsageSums = { units: 0n, cpuMs: 0, subjobs: 0n, runs: 0n };

/** A page of groups: days in ascending order, other groups by descending usage. */
export async function sumGroups(
  { client }: Database,
  range: UsageRange,
  group: UsageGroup,
  page: { take: number; skip: number },
): Promise<{ groups: UsageGroupSums[]; count: number; total: UsageSums }> {
  const order = group === 'day' ? Prisma.sql`key` : Prisma.sql`units DESC, key`;
  const [groups, [counted], [total]] = await Promise.all([
    client.$queryRaw<UsageGroupSums[]>`
      ${selectUsage(range, group)} ORDER BY ${order} LIMIT ${page.take}::int OFFSET ${page.skip}::int`,
    client.$queryRaw<{ count: bigint }[]>`SELECT count(*) AS count FROM (${selectUsage(range, group)}) AS groups`,
    client.$queryRaw<UsageSums[]>(selectUsage(range, 'total')),
  ]);
  return { groups, count: Number(counted?.count ?? 0), total: total ?? NO_USAGE };
}

/** Groups after the key `after`, in the order of their keys; the group without a key comes first. */
export const listGroups = (
  { client }: Database,
  range: UsageRange,
  group: UsageGroup,
  { take, after }: { take: number; after: string | null },
): Promise<UsageGroupSums[]> =>
  client.$queryRaw<UsageGroupSums[]>`
    SELECT * FROM (${selectUsage(range, group)}) AS groups
    WHERE ${after}::text IS NULL OR key COLLATE "C" > ${after}::text COLLATE "C"
    ORDER BY key COLLATE "C" NULLS FIRST LIMIT ${take}::int`;
