import { Injectable } from '@nestjs/common';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import type { AddressedWebhookEvent } from './webhook-event.js';
import { WebhookPublisher } from './webhook-publisher.js';

/** Notifies webhooks that a vault may start no more runs, or may start runs again. */
@Injectable()
export class RestrictionsListener {
  constructor(private readonly webhooks: WebhookPublisher) {}

  @EventHandler(vaultRestricted)
  async restricted(restrictions: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, restrictions.map(describeRestricted));
  }

  @EventHandler(vaultUnrestricted)
  async released(releases: Payload<typeof vaultUnrestricted>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, releases.map(describeUnrestricted));
  }
}

/** A vault may start no more runs; `number` orders the restrictions and releases of a vault. */
const describeRestricted = (restriction: Payload<typeof vaultRestricted>): AddressedWebhookEvent => ({
  ...{ type: 'billing.restricted', vault: restriction.vault, at: restriction.at },
  summary: `No more runs can be started: ${restriction.reason === 'budget' ? 'the budget is' : 'the credits are'} used up`,
  data: { number: restriction.number, reason: restriction.reason, stop_running: restriction.stopRunning },
});

/** A vault may start runs again. */
const describeUnrestricted = ({ vault, number, at }: Payload<typeof vaultUnrestricted>): AddressedWebhookEvent => ({
  ...{ type: 'billing.released', vault, at },
  summary: 'Runs can be started again',
  data: { number },
});
