import { fromCredits } from '@millrace/contracts/billing/execution-units';
import type { Restriction } from '@millrace/contracts/billing/restriction';

/** What a vault has used in a month, and what it may use; null is without limit. */
export interface UsageAndLimits {
  units: number;
  monthlyCredits: number | null;
  usageLimit: number | null;
}

/** Why a vault may start nothing more; null where it may. A limit counts as soon as it is reached. */
export function decideRestriction({ units, monthlyCredits, usageLimit }: UsageAndLimits): Restriction | null {
  if (usageLimit !== null && units >= usageLimit) return 'budget';
  if (monthlyCredits !== null && units >= fromCredits(monthlyCredits)) return 'credits';
  return null;
}
