import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { noteAudit } from './note-audit.js';

/** Who has events of the vault sent elsewhere. */
@Injectable()
export class WebhookChangedListener {
  @Listens(webhookChanged)
  async note(changes: Payload<typeof webhookChanged>[], tx: Transaction): Promise<void> {
    for (const { vault, user, change, webhook, name, fields, address } of changes) {
      await noteAudit(tx, {
        vault,
        actor: user,
        action: `webhook.${change}`,
        target: { type: 'webhook', id: webhook, name },
        ...(fields && { details: { fields } }),
        ...(address !== undefined && { address }),
      });
    }
  }
}
