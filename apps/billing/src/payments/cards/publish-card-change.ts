import { paymentMethodChanged } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';

/** @param context of the request; null if the provider has made the change */
export function publishCardChange(
  tx: Transaction,
  change: Payload<typeof paymentMethodChanged>['change'],
  { id, vaultId, brand, last4 }: PaymentMethod,
  context: Context | null,
): void {
  tx.emit(paymentMethodChanged, {
    ...{ change, vault: vaultId, paymentMethod: id, brand, last4 },
    ...(context && { user: context.caller.user, ...clientFields(context.envelope) }),
  });
}
