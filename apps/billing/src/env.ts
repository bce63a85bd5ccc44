import { z } from 'zod';
import { databaseEnv } from '@millrace/service/startup/env';
import { hasProviderSettings, paymentShape, PROVIDER_SETTINGS_MISSING } from './payments/provider/payment-env.js';

export const billingEnv = databaseEnv
  .extend(paymentShape)
  .extend({
    /** Full months before the current one whose ledger entries are kept individually. Older ones are sums of days. */
    USAGE_DETAIL_MONTHS: z.coerce.number().int().min(1).max(1_200).default(3),
  })
  .refine(hasProviderSettings, PROVIDER_SETTINGS_MISSING);
export type BillingEnv = z.output<typeof billingEnv>;
