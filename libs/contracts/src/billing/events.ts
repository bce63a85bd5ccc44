import { z } from 'zod';
import { event } from '../kit/event.js';
import { timestamp } from '../kit/fields.js';
import { RESTRICTIONS } from './restriction.js';

const turn = {
  vault: z.uuid(),
  /** Of the turns of this vault, from 1 on: the highest counts, for events may be heard in any order. */
  number: z.number().int(),
  at: timestamp.optional().describe('Of the turn'),
};

/** From now on a vault may start nothing. Told again where the reason or what becomes of running ones has changed. */
export const vaultRestricted = event('billing.vault.restricted', {
  version: 1,
  consumers: ['runs', 'notifications'],
  payload: z.object({
    ...turn,
    reason: z.enum(RESTRICTIONS),
    stopRunning: z.boolean().describe('What runs is to be stopped as well'),
  }),
});

/** A vault may start runs again. */
export const vaultUnrestricted = event('billing.vault.released', {
  version: 1,
  consumers: ['runs', 'notifications'],
  payload: z.object(turn),
});
