import { Injectable } from '@nestjs/common';
import { paymentMethodChanged } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { actorFromEvent, writeAuditEntry } from './write-audit-entry.js';

/** Records who added or removed which card, by its brand and last digits. */
@Injectable()
export class PaymentMethodChangedListener {
  @EventHandler(paymentMethodChanged)
  async record(changes: Payload<typeof paymentMethodChanged>[], tx: Transaction): Promise<void> {
    for (const event of changes) {
      const { change, paymentMethod, brand, last4 } = event;
      await writeAuditEntry(tx, {
        ...actorFromEvent(event),
        action: `payment_method.${change}`,
        target: { type: 'payment_method', id: paymentMethod, name: `${brand} ${last4}` },
      });
    }
  }
}
