import { Controller, Inject } from '@nestjs/common';
import {
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  setDefaultPaymentMethod,
} from '@millrace/contracts/billing/payment-methods';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { PaymentMethod } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { PAYMENT_PROVIDER, type PaymentProvider } from '../provider/payment-provider.js';
import { enqueueCardRemoval } from '../removals/enqueue-card-removal.js';
import { CardRegistration } from './card-registration.js';
import { deleteCard } from './delete-card.js';
import { lockCards } from './lock-cards.js';
import { publishCardChange } from './publish-card-change.js';
import { toPaymentMethod } from './to-payment-method.js';

@Controller()
export class PaymentMethodsController {
  constructor(
    private readonly database: Database,
    private readonly registration: CardRegistration,
    @Inject(PAYMENT_PROVIDER) private readonly provider: PaymentProvider,
  ) {}

  @OperationHandler(addPaymentMethod)
  add({ body }: Input<typeof addPaymentMethod>, context: Context): Promise<Result<typeof addPaymentMethod>> {
    return this.registration.add(body, context);
  }

  @OperationHandler(listPaymentMethods)
  async list(
    _input: Input<typeof listPaymentMethods>,
    { caller }: Context,
  ): Promise<Result<typeof listPaymentMethods>> {
    const rows = await this.database.client.paymentMethod.findMany({ where: inVault(caller), orderBy: { id: 'asc' } });
    return { results: rows.map((row) => toPaymentMethod(row, this.provider.name)) };
  }

  @OperationHandler(setDefaultPaymentMethod)
  async setDefault(
    { params }: Input<typeof setDefaultPaymentMethod>,
    context: Context,
  ): Promise<Result<typeof setDefaultPaymentMethod>> {
    return this.database.transaction(async (tx) => {
      const card = await findLockedCard(tx, params.id, context);
      if (card.isDefault) return toPaymentMethod(card, this.provider.name);
      const currentDefault = { ...inVault(context.caller), isDefault: true };
      await tx.paymentMethod.updateMany({ where: currentDefault, data: { isDefault: false } });
      const changed = await tx.paymentMethod.update({ where: { id: card.id }, data: { isDefault: true } });
      publishCardChange(tx, 'made_default', changed, context);
      return toPaymentMethod(changed, this.provider.name);
    });
  }

  @OperationHandler(deletePaymentMethod)
  async delete({ params }: Input<typeof deletePaymentMethod>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const card = await findLockedCard(tx, params.id, context);
      await deleteCard(tx, card, this.provider.name, context);
      await enqueueCardRemoval(tx, { provider: card.provider, reference: card.reference });
      return null;
    });
  }
}

/** Locks the vault's cards and finds one of them. @throws NotFoundError if the vault has no such card */
async function findLockedCard(tx: Transaction, id: string, { caller }: Context): Promise<PaymentMethod> {
  await lockCards(tx, caller.vault);
  const card = isId(id) ? await tx.paymentMethod.findFirst({ where: { id, ...inVault(caller) } }) : null;
  if (!card) throw new NotFoundError(`Payment method ${id}`);
  return card;
}
