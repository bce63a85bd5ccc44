import { fromCredits } from '@millrace/contracts/billing/execution-units';
import type { Restriction } from '@millrace/contracts/billing/restriction';

/** A vault's usage in a month and its limits; null means no limit. */
export interface UsageAndLimits {
  units: number;
  monthlyCredits: number | null;
  usageLimit: number | null;
}

/** The reason why a vault may not start runs; null if it may. A limit applies as soon as usage equals it. */
export function decideRestriction({ units, monthlyCredits, usageLimit }: UsageAndLimits): Restriction | null {
  if (usageLimit !== null && units >= usageLimit) return 'budget';
  if (monthlyCredits !== null && units >= fromCredits(monthlyCredits)) return 'credits';
  return null;
}
