import type { BillingBudget } from '@millrace/client';

/** What to do about each reason for which a vault may start no runs. */
export const RESTRICTION_TEXTS: Record<NonNullable<BillingBudget['restriction']>, string> = {
  credits: 'The credits of this month are used up. Wait for the next month, or choose a plan with more credits.',
  budget: 'The usage limit for this month is reached. An owner of the vault can raise it.',
};
