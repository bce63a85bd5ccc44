import { fromCredits } from '@millrace/contracts/billing/execution-units';
import type { Database } from '@millrace/persistence/database';

/**
 * Finds vaults whose restriction was not decided in this month, or for which `decideRestriction` would now decide
 * otherwise, because an operator may change the credits of a plan at any time. It decides in SQL, so that checking all
 * vaults is cheap.
 * @param month first day of the month
 * @param after returns vaults with greater ids, in ascending order
 */
export async function findOutdatedRestrictions(
  { client }: Pick<Database, 'client'>,
  month: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const outdated = await client.$queryRaw<{ vault: string }[]>`
    SELECT c.vault_id::text AS vault FROM billing.customer c
    LEFT JOIN billing.plan p ON p.name = c.plan
    LEFT JOIN billing.usage_period u ON u.vault_id = c.vault_id AND u.month = ${month}::date
    WHERE (${after}::uuid IS NULL OR c.vault_id > ${after}::uuid) AND (c.judged_month IS DISTINCT FROM ${month}::date
      OR c.restriction IS DISTINCT FROM CASE
        WHEN coalesce(u.units, 0) >= c.usage_limit THEN 'budget'
        WHEN coalesce(u.units, 0) >= p.monthly_credits::bigint * ${fromCredits(1)}::int THEN 'credits' END)
    ORDER BY c.vault_id LIMIT ${limit}::int`;
  return outdated.map(({ vault }) => vault);
}
