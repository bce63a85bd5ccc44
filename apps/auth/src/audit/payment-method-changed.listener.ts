import { Injectable } from '@nestjs/common';
import { paymentMethodChanged } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { byEvent, noteAudit } from './write-audit-entry.js';

/** Who added or removed which card; of the card what its record shows. */
@Injectable()
export class PaymentMethodChangedListener {
  @EventHandler(paymentMethodChanged)
  async note(changes: Payload<typeof paymentMethodChanged>[], tx: Transaction): Promise<void> {
    for (const told of changes) {
      const { change, paymentMethod, brand, last4 } = told;
      await noteAudit(tx, {
        ...byEvent(told),
        action: `payment_method.${change}`,
        target: { type: 'payment_method', id: paymentMethod, name: `${brand} ${last4}` },
      });
    }
  }
}
