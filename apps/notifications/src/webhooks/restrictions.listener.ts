import { Injectable } from '@nestjs/common';
import { vaultReleased, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { describeReleased, describeRestricted } from './describe-restriction.js';
import { WebhookOrders } from './webhook-orders.js';

/** Tells webhooks, and nobody else, that a vault may start nothing, or may again. */
@Injectable()
export class RestrictionsListener {
  constructor(private readonly webhooks: WebhookOrders) {}

  @Listens(vaultRestricted)
  async restricted(turns: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    await this.webhooks.tell(tx, turns.map(describeRestricted));
  }

  @Listens(vaultReleased)
  async released(turns: Payload<typeof vaultReleased>[], tx: Transaction): Promise<void> {
    await this.webhooks.tell(tx, turns.map(describeReleased));
  }
}
