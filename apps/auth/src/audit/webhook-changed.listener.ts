import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from './write-audit-entry.js';

/** Records who changed which webhook, since webhooks send events out of the vault. */
@Injectable()
export class WebhookChangedListener {
  @EventHandler(webhookChanged)
  async record(changes: Payload<typeof webhookChanged>[], tx: Transaction): Promise<void> {
    for (const event of changes) {
      const { change, webhook, name, fields } = event;
      await writeAuditEntry(tx, {
        ...actorFromEvent(event),
        action: `webhook.${change}`,
        target: { type: 'webhook', id: webhook, name },
        ...(fields && { details: { fields } }),
      });
    }
  }
}
