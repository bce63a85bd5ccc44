import type { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { heardNow } from './time-of-receipt.js';
import type { PlacedEvent } from './webhook-event.js';

/** A vault that may start nothing from now on; `number` orders it among the vault's other turns. */
export const describeRestricted = (turn: Payload<typeof vaultRestricted>): PlacedEvent => ({
  ...{ type: 'billing.restricted', vault: turn.vault, at: turn.at ?? heardNow() },
  said: `No run can be started any more: ${turn.reason === 'budget' ? 'the budget is' : 'the credits are'} used up`,
  data: { number: turn.number, reason: turn.reason, stop_running: turn.stopRunning },
});

/** A vault that may start runs again. */
export const describeReleased = ({ vault, number, at }: Payload<typeof vaultUnrestricted>): PlacedEvent => ({
  ...{ type: 'billing.released', vault, at: at ?? heardNow() },
  said: 'Runs can be started again',
  data: { number },
});
