import { MAX_PAYMENT_METHODS } from '@millrace/contracts/billing/payment-methods';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/** Whether a vault has the maximum number of cards. The caller has called `lockCards`. */
export const isCardLimitReached = async (tx: Transaction, vaultId: string): Promise<boolean> =>
  (await tx.paymentMethod.count({ where: { vaultId } })) >= MAX_PAYMENT_METHODS;

export const cardLimitError = (): ValidationError =>
  new ValidationError({ body: `must not exceed ${MAX_PAYMENT_METHODS} payment methods per vault; remove one first` });
