import type { getCustomer } from '@millrace/contracts/billing/customer';
import { toCredits } from '@millrace/contracts/billing/execution-units';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Database, Transaction } from '@millrace/persistence/database';

interface CustomerRow {
  plan: string;
  restriction: string | null;
  usageLimit: bigint | null;
  monthlyCredits: number | null;
  units: bigint;
}

/** @param month first day of the month whose usage is described */
export async function describeCustomer(
  client: Database['client'] | Transaction,
  vault: string,
  month: string,
): Promise<Result<typeof getCustomer>> {
  const [row] = await client.$queryRaw<CustomerRow[]>`
    SELECT c.plan, c.restriction, c.usage_limit AS "usageLimit", p.monthly_credits AS "monthlyCredits",
      coalesce(u.units, 0) AS units
    FROM billing.customer c
    LEFT JOIN billing.plan p ON p.name = c.plan
    LEFT JOIN billing.usage_period u ON u.vault_id = c.vault_id AND u.month = ${month}::date
    WHERE c.vault_id = ${vault}::uuid`;
  if (!row) throw new NotFoundError(`Customer ${vault}`);
  const { plan, restriction, usageLimit, monthlyCredits } = row;
  const used = toCredits(Number(row.units));
  return {
    id: vault,
    vault_id: vault,
    vault_info: vault,
    restricted: restriction !== null,
    ...(usageLimit !== null && { cloud_usage_limit: Number(usageLimit) }),
    execution_units: Number(row.units),
    plan,
    is_active: true,
    ...(monthlyCredits !== null && { credits_remaining: Math.max(0, Math.round((monthlyCredits - used) * 100) / 100) }),
    credits_used: used,
  };
}
