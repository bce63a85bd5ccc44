import { Inject, Injectable, Logger } from '@nestjs/common';
import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { localProvider } from '../provider/local-provider.js';
import { PAYMENT_PROVIDER, type PaymentProvider } from '../provider/payment-provider.js';

@Injectable()
export class RemoveCardJob {
  private readonly logger = new Logger(RemoveCardJob.name);

  constructor(
    private readonly database: Database,
    @Inject(PAYMENT_PROVIDER) private readonly provider: PaymentProvider,
  ) {}

  /** Takes a card away from its provider. Where another provider is set meanwhile it waits until that one is again. */
  @JobProcessor(removePaymentCard)
  async remove({ removal: id }: Payload<typeof removePaymentCard>): Promise<void> {
    const removal = await this.database.client.cardRemoval.findUnique({ where: { id } });
    if (!removal) return;
    const { provider, reference, customer, attempt } = removal;
    // `local` needs nothing to be set, so it is always there.
    const holder = [this.provider, localProvider].find(({ name }) => name === provider);
    if (!holder) {
      this.logger.warn({ message: 'A card stays at its provider, which is not set any more', provider, removal: id });
      return;
    }
    if (reference !== null) await holder.removePaymentCard(reference);
    else if (customer !== null && attempt !== null) await holder.removeAttempt(customer, attempt);
    await this.database.transaction(async (tx) => {
      await tx.cardRemoval.deleteMany({ where: { id } });
    });
  }
}
