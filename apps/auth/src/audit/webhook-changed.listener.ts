import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { byEvent, noteAudit } from './write-audit-entry.js';

/** Who has events of the vault sent elsewhere. */
@Injectable()
export class WebhookChangedListener {
  @EventHandler(webhookChanged)
  async note(changes: Payload<typeof webhookChanged>[], tx: Transaction): Promise<void> {
    for (const told of changes) {
      const { change, webhook, name, fields } = told;
      await noteAudit(tx, {
        ...byEvent(told),
        action: `webhook.${change}`,
        target: { type: 'webhook', id: webhook, name },
        ...(fields && { details: { fields } }),
      });
    }
  }
}
