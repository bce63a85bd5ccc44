import { Injectable } from '@nestjs/common';
import { budgetChanged } from '@millrace/contracts/billing/budget';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from './write-audit-entry.js';

/** Records who set a vault's usage limit, and to what. */
@Injectable()
export class BudgetChangedListener {
  @EventHandler(budgetChanged)
  async record(changes: Payload<typeof budgetChanged>[], tx: Transaction): Promise<void> {
    for (const change of changes) {
      const { vault, limit, stopRunning } = change;
      await writeAuditEntry(tx, {
        ...actorFromEvent(change),
        action: 'budget.changed',
        target: { type: 'vault', id: vault },
        details: { cloud_usage_limit: limit, stop_running: stopRunning },
      });
    }
  }
}
