import { newId } from '@millrace/persistence/ids';
import type { PaymentProvider } from './payment-provider.js';

/** Stores nothing, so it has nothing to remove. Only the record of a card remains, and it cannot be charged. */
export const localProvider: PaymentProvider = {
  name: 'local',
  createCustomer: ({ id }) => Promise.resolve(`local_${id}`),
  addCard: ({ number, brand }) => Promise.resolve({ reference: `local_${newId()}`, brand, last4: number.slice(-4) }),
  removePaymentCard: () => Promise.resolve(),
  removeAttempt: () => Promise.resolve(),
};
