import { newId } from '@millrace/persistence/ids';
import type { PaymentProvider } from './payment-provider.js';

/** Keeps nothing, and so has nothing to take away: what is left of a card is its record. Nobody can be charged by it. */
export const localProvider: PaymentProvider = {
  name: 'local',
  createCustomer: ({ id }) => Promise.resolve(`local_${id}`),
  addCard: ({ number, brand }) => Promise.resolve({ reference: `local_${newId()}`, brand, last4: number.slice(-4) }),
  removePaymentCard: () => Promise.resolve(),
  removeAttempt: () => Promise.resolve(),
};
