import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Restriction } from '@millrace/contracts/billing/restriction';
import type { Transaction } from '@millrace/persistence/database';
import { decideRestriction } from './decide-restriction.js';

interface Judged {
  vault: string;
  units: bigint;
  monthlyCredits: number | null;
  usageLimit: bigint | null;
  stopRunning: boolean;
  restriction: Restriction | null;
  stopsRunning: boolean;
  number: number;
  isOfMonth: boolean;
}

/** What is told of a vault from now on. */
interface Verdict {
  vault: string;
  restriction: Restriction | null;
  stops: boolean;
  number: number;
}

/**
 * Decides whether vaults may start runs, and tells where that has changed. To be called in each transaction that changes
 * what it depends on: the ledger, the plan, the limit, the month. Vaults that are no customers yet are judged when they are.
 * @param month its first day
 */
export async function updateRestrictions(tx: Transaction, vaults: string[], month: string): Promise<void> {
  if (vaults.length === 0) return;
  // Read only once they are locked: with a lock that had to be waited for, the sums of before would come.
  await tx.$queryRaw`SELECT 1 FROM billing.customer WHERE vault_id = ANY(${vaults}::uuid[]) ORDER BY vault_id FOR UPDATE`;
  const found = await tx.$queryRaw<Judged[]>`
    SELECT c.vault_id::text AS vault, coalesce(u.units, 0) AS units, p.monthly_credits AS "monthlyCredits",
      c.usage_limit AS "usageLimit", c.stop_running AS "stopRunning", c.restriction, c.stops_running AS "stopsRunning",
      c.restriction_number AS number, c.judged_month IS NOT DISTINCT FROM ${month}::date AS "isOfMonth"
    FROM billing.customer c
    LEFT JOIN billing.plan p ON p.name = c.plan
    LEFT JOIN billing.usage_period u ON u.vault_id = c.vault_id AND u.month = ${month}::date
    WHERE c.vault_id = ANY(${vaults}::uuid[]) ORDER BY c.vault_id`;
  const verdicts = found.flatMap((one) => judge(one) ?? []);
  for (const verdict of verdicts) tell(tx, verdict);
  const isStale = found.some(({ isOfMonth }) => !isOfMonth);
  if (verdicts.length > 0 || isStale) await write(tx, vaults, verdicts, month);
}

/** @returns null where all stays as it is */
function judge(found: Judged): Verdict | null {
  const { vault, units, monthlyCredits, usageLimit } = found;
  const limit = usageLimit === null ? null : Number(usageLimit);
  const restriction = decideRestriction({ units: Number(units), monthlyCredits, usageLimit: limit });
  const stops = restriction === 'budget' && found.stopRunning;
  if (restriction === found.restriction && stops === found.stopsRunning) return null;
  return { vault, restriction, stops, number: found.number + 1 };
}

function tell(tx: Transaction, { vault, restriction, stops, number }: Verdict): void {
  const at = new Date().toISOString();
  if (restriction === null) tx.emit(vaultUnrestricted, { vault, number, at });
  else tx.emit(vaultRestricted, { vault, number, at, reason: restriction, stopRunning: stops });
}

async function write(tx: Transaction, vaults: string[], verdicts: Verdict[], month: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE billing.customer c SET judged_month = ${month}::date,
      restriction = CASE WHEN v.vault IS NULL THEN c.restriction ELSE v.restriction END,
      stops_running = coalesce(v.stops, c.stops_running), restriction_number = coalesce(v.number, c.restriction_number)
    FROM unnest(${vaults}::uuid[]) AS w(vault)
    LEFT JOIN jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) AS v(vault uuid, restriction text, stops boolean, number int)
      ON v.vault = w.vault
    WHERE c.vault_id = w.vault`;
}
