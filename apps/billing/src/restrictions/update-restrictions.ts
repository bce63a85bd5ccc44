import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Restriction } from '@millrace/contracts/billing/restriction';
import type { Transaction } from '@millrace/persistence/database';
import { decideRestriction } from './decide-restriction.js';

interface CustomerState {
  vault: string;
  units: bigint;
  monthlyCredits: number | null;
  usageLimit: bigint | null;
  stopRunning: boolean;
  restriction: Restriction | null;
  stopsRunning: boolean;
  number: number;
  isOfThisMonth: boolean;
}

/** A change of a vault's restriction. */
interface RestrictionChange {
  vault: string;
  restriction: Restriction | null;
  stops: boolean;
  number: number;
}

/**
 * Decides whether vaults may start runs and publishes changes. Call it in each transaction that changes the ledger, a plan
 * or a limit, and when a month begins. It skips vaults without a customer; `addCustomers` calls it for them later.
 * @param month first day of the month
 */
export async function updateRestrictions(tx: Transaction, vaults: string[], month: string): Promise<void> {
  if (vaults.length === 0) return;
  // A separate statement, because one that waits for locks would read the sums from before its wait.
  await tx.$queryRaw`SELECT 1 FROM billing.customer WHERE vault_id = ANY(${vaults}::uuid[]) ORDER BY vault_id FOR UPDATE`;
  const customers = await tx.$queryRaw<CustomerState[]>`
    SELECT c.vault_id::text AS vault, coalesce(u.units, 0) AS units, p.monthly_credits AS "monthlyCredits",
      c.usage_limit AS "usageLimit", c.stop_running AS "stopRunning", c.restriction, c.stops_running AS "stopsRunning",
      c.restriction_number AS number, c.judged_month IS NOT DISTINCT FROM ${month}::date AS "isOfThisMonth"
    FROM billing.customer c
    LEFT JOIN billing.plan p ON p.name = c.plan
    LEFT JOIN billing.usage_period u ON u.vault_id = c.vault_id AND u.month = ${month}::date
    WHERE c.vault_id = ANY(${vaults}::uuid[]) ORDER BY c.vault_id`;
  const changes = customers.flatMap((customer) => decideChange(customer) ?? []);
  for (const change of changes) publish(tx, change);
  const isStale = customers.some(({ isOfThisMonth }) => !isOfThisMonth);
  if (changes.length > 0 || isStale) await save(tx, vaults, changes, month);
}

/** @returns null if nothing changes */
function decideChange(customer: CustomerState): RestrictionChange | null {
  const { vault, units, monthlyCredits, usageLimit } = customer;
  const limit = usageLimit === null ? null : Number(usageLimit);
  const restriction = decideRestriction({ units: Number(units), monthlyCredits, usageLimit: limit });
  const stops = restriction === 'budget' && customer.stopRunning;
  if (restriction === customer.restriction && stops === customer.stopsRunning) return null;
  return { vault, restriction, stops, number: customer.number + 1 };
}

function publish(tx: Transaction, { vault, restriction, stops, number }: RestrictionChange): void {
  const at = new Date().toISOString();
  if (restriction === null) tx.emit(vaultUnrestricted, { vault, number, at });
  else tx.emit(vaultRestricted, { vault, number, at, reason: restriction, stopRunning: stops });
}

async function save(tx: Transaction, vaults: string[], changes: RestrictionChange[], month: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE billing.customer c SET judged_month = ${month}::date,
      restriction = CASE WHEN v.vault IS NULL THEN c.restriction ELSE v.restriction END,
      stops_running = coalesce(v.stops, c.stops_running), restriction_number = coalesce(v.number, c.restriction_number)
    FROM unnest(${vaults}::uuid[]) AS w(vault)
    LEFT JOIN jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS v(vault uuid, restriction text, stops boolean, number int)
      ON v.vault = w.vault
    WHERE c.vault_id = w.vault`;
}
