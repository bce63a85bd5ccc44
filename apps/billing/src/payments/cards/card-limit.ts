import { MAX_PAYMENT_METHODS } from '@millrace/contracts/billing/payment-methods';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/** Whether a vault has as many cards as it may. The caller holds `lockCards`. */
export const isCardLimitReached = async (tx: Transaction, vaultId: string): Promise<boolean> =>
  (await tx.paymentMethod.count({ where: { vaultId } })) >= MAX_PAYMENT_METHODS;

export const cardLimitError = (): ValidationError =>
  new ValidationError({ body: `there may be ${MAX_PAYMENT_METHODS} payment methods in a vault` });
