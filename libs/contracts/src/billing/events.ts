import { z } from 'zod';
import { event } from '../kit/event.js';
import { timestamp } from '../kit/fields.js';
import { RESTRICTIONS } from './restriction.js';

const transition = {
  vault: z.uuid(),
  /**
   * Counts the transitions of this vault from 1. The highest number is current, because events may arrive in any order.
   */
  number: z.number().int(),
  at: timestamp.describe('When the transition happened'),
};

/** A vault may no longer start runs. Published again if the reason or `stopRunning` changes. */
export const vaultRestricted = event('billing.vault.restricted', {
  version: 1,
  consumers: ['runs', 'notifications'],
  payload: z.object({
    ...transition,
    reason: z.enum(RESTRICTIONS),
    stopRunning: z.boolean().describe('Running runs must be stopped as well'),
  }),
});

/** A vault may start runs again. */
export const vaultUnrestricted = event('billing.vault.released', {
  version: 1,
  consumers: ['runs', 'notifications'],
  payload: z.object(transition),
});
