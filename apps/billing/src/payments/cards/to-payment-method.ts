import type { z } from 'zod';
import type { paymentMethod } from '@millrace/contracts/billing/payment-methods';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import type { ProviderName } from '../provider/payment-env.js';

/** Plans of a self-hosted installation cost nothing. */
const SUBSCRIPTION_AMOUNT = 0;

/** @param activeProvider name of the configured provider */
export const toPaymentMethod = (row: PaymentMethod, activeProvider: ProviderName): z.input<typeof paymentMethod> => ({
  id: row.id,
  type: 'card',
  vault_info: row.vaultId,
  card_ending_in: row.last4,
  last4: row.last4,
  brand: row.brand,
  cardholder_name: row.cardholderName,
  subscription_amount: SUBSCRIPTION_AMOUNT,
  active: row.provider === activeProvider,
  is_default: row.isDefault,
});
