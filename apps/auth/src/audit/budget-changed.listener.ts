import { Injectable } from '@nestjs/common';
import { budgetChanged } from '@millrace/contracts/billing/budget';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { byEvent, noteAudit } from './write-audit-entry.js';

/** Who set a vault's usage limit, and to what. */
@Injectable()
export class BudgetChangedListener {
  @EventHandler(budgetChanged)
  async note(changes: Payload<typeof budgetChanged>[], tx: Transaction): Promise<void> {
    for (const told of changes) {
      const { vault, limit, stopRunning } = told;
      await noteAudit(tx, {
        ...byEvent(told),
        action: 'budget.changed',
        target: { type: 'vault', id: vault },
        details: { cloud_usage_limit: limit, stop_running: stopRunning },
      });
    }
  }
}
