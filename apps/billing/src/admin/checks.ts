import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type InvariantCheck } from '@millrace/service/admin/invariant-check';

/** What must hold for usage and customers. */
export const billingChecks = (): InvariantCheck[] => [
  checkBySql(
    'The balance of a vault in this month is the sum of its ledger entries',
    Prisma.sql`
      WITH month AS (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AS first),
      entries AS (
        SELECT vault_id, sum(units) AS units FROM billing.usage_entry
        WHERE finished_at >= (SELECT first FROM month) AT TIME ZONE 'UTC'
          AND finished_at < ((SELECT first FROM month) + interval '1 month') AT TIME ZONE 'UTC' GROUP BY vault_id),
      balance AS (SELECT vault_id, units FROM billing.usage_period WHERE month = (SELECT first FROM month)::date)
      SELECT coalesce(e.vault_id, b.vault_id)::text AS id FROM entries e FULL JOIN balance b USING (vault_id)
      WHERE e.units IS DISTINCT FROM b.units`,
  ),
  checkBySql(
    'The plan of a customer exists',
    Prisma.sql`
      SELECT vault_id::text AS id FROM billing.customer c
      WHERE NOT EXISTS (SELECT FROM billing.plan p WHERE p.name = c.plan)`,
  ),
];
