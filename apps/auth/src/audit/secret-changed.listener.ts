import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { secretChanged } from '@millrace/contracts/workflows/secrets';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from './write-audit-entry.js';

/** Records who set which secret variable, but never its value. */
@Injectable()
export class SecretChangedListener {
  @EventHandler(secretChanged)
  async record(changes: Payload<typeof secretChanged>[], tx: Transaction): Promise<void> {
    for (const event of changes) {
      const { change, variable, name, scope, space } = event;
      await writeAuditEntry(tx, {
        ...actorFromEvent(event),
        action: `secret_variable.${change}`,
        target: { type: 'secret_variable', id: variable, name },
        details: { scope, ...(space !== undefined && { space }) },
      });
    }
  }
}
