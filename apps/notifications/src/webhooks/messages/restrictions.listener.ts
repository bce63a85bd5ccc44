import { Injectable } from '@nestjs/common';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { describeUnrestricted, describeRestricted } from './describe-restriction.js';
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
