import { fromCredits } from '@millrace/contracts/billing/execution-units';
import type { Database } from '@millrace/persistence/database';

/**
 * Vaults of which nothing was judged in this month yet, or of which `decideRestriction` says something else by now: the
 * operator may change at any time what a plan gives. Decided in SQL, so that all vaults can be looked at often.
 * @param month its first day
 * @param after the vault before the first one; they come in the order of their ids
 */
export async function findOutdatedRestrictions(
  { client }: Pick<Database, 'client'>,
  month: string,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const found = await client.$queryRaw<{ vault: string }[]>`
    SELECT c.vault_id::text AS vault FROM billing.customer c
    LEFT JOIN billing.plan p ON p.name = c.plan
    LEFT JOIN billing.usage_period u ON u.vault_id = c.vault_id AND u.month = ${month}::date
    WHERE (${after}::uuid IS NULL OR c.vault_id > ${after}::uuid) AND (c.judged_month IS DISTINCT FROM ${month}::date
      OR c.restriction IS DISTINCT FROM CASE
        WHEN coalesce(u.units, 0) >= c.usage_limit THEN 'budget'
        WHEN coalesce(u.units, 0) >= p.monthly_credits::bigint * ${fromCredits(1)}::int THEN 'credits' END)
    ORDER BY c.vault_id LIMIT ${most}::int`;
  return found.map(({ vault }) => vault);
}
