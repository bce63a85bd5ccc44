import { Injectable } from '@nestjs/common';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { describeReleased, describeRestricted } from './describe-restriction.js';
import { WebhookOrders } from './webhook-publisher.js';

/** Tells webhooks, and nobody else, that a vault may start nothing, or may again. */
@Injectable()
export class RestrictionsListener {
  constructor(private readonly webhooks: WebhookOrders) {}

  @EventHandler(vaultRestricted)
  async restricted(turns: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    await this.webhooks.tell(tx, turns.map(describeRestricted));
  }

  @EventHandler(vaultUnrestricted)
  async released(turns: Payload<typeof vaultUnrestricted>[], tx: Transaction): Promise<void> {
    await this.webhooks.tell(tx, turns.map(describeReleased));
  }
}
