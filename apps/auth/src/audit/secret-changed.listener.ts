import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { secretChanged } from '@millrace/contracts/workflows/secrets';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { byEvent, noteAudit } from './write-audit-entry.js';

/** Who set which secret variable, never to what. */
@Injectable()
export class SecretChangedListener {
  @EventHandler(secretChanged)
  async note(changes: Payload<typeof secretChanged>[], tx: Transaction): Promise<void> {
    for (const told of changes) {
      const { change, variable, name, scope, space } = told;
      await noteAudit(tx, {
        ...byEvent(told),
        action: `secret_variable.${change}`,
        target: { type: 'secret_variable', id: variable, name },
        details: { scope, ...(space !== undefined && { space }) },
      });
    }
  }
}
