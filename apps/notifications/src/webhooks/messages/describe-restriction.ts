import type { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { timeOfReceipt } from './time-of-receipt.js';
import type { AddressedWebhookEvent } from './webhook-event.js';

/** A vault may start no more runs; `number` orders the restrictions and releases of a vault. */
export const describeRestricted = (restriction: Payload<typeof vaultRestricted>): AddressedWebhookEvent => ({
  ...{ type: 'billing.restricted', vault: restriction.vault, at: restriction.at ?? timeOfReceipt() },
  summary: `No more runs can be started: ${restriction.reason === 'budget' ? 'the budget is' : 'the credits are'} used up`,
  data: { number: restriction.number, reason: restriction.reason, stop_running: restriction.stopRunning },
});

/** A vault may start runs again. */
export const describeUnrestricted = ({
  vault,
  number,
  at,
}: Payload<typeof vaultUnrestricted>): AddressedWebhookEvent => ({
  ...{ type: 'billing.released', vault, at: at ?? timeOfReceipt() },
  summary: 'Runs can be started again',
  data: { number },
});
