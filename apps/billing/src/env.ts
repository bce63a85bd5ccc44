import type { z } from 'zod';
import { databaseEnv } from '@millrace/service/startup/env';
import { hasProviderSettings, paymentShape, PROVIDER_SETTINGS_MISSING } from './payments/provider/payment-env.js';

export const billingEnv = databaseEnv.extend(paymentShape).refine(hasProviderSettings, PROVIDER_SETTINGS_MISSING);
export type BillingEnv = z.output<typeof billingEnv>;
