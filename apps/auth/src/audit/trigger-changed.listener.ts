import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { triggerChanged } from '@millrace/contracts/workflows/triggers';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from './write-audit-entry.js';

/** Records who changed the hook or the schedule of which workflow. Neither has an id of its own. */
@Injectable()
export class TriggerChangedListener {
  @EventHandler(triggerChanged)
  async record(changes: Payload<typeof triggerChanged>[], tx: Transaction): Promise<void> {
    for (const change of changes) {
      const { action, workflow, name, fields } = change;
      await writeAuditEntry(tx, {
        ...actorFromEvent(change),
        action,
        target: { type: 'workflow', id: workflow, name },
        ...(fields && { details: { fields } }),
      });
    }
  }
}
