import { Inject, Injectable, Logger } from '@nestjs/common';
import { removePaymentCard } from '@millrace/contracts/billing/payment-methods';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { localProvider } from '../provider/open-provider.js';
import { PAYMENT_PROVIDER, type PaymentProvider } from '../provider/payment-provider.js';

@Injectable()
export class RemoveCardJob {
  private readonly logger = new Logger(RemoveCardJob.name);

  constructor(
    private readonly database: Database,
    @Inject(PAYMENT_PROVIDER) private readonly provider: PaymentProvider,
  ) {}

  /** Removes a card from its provider. If another provider is configured, the removal waits until that changes. */
  @JobProcessor(removePaymentCard)
  async remove({ removal: id }: Payload<typeof removePaymentCard>): Promise<void> {
    const removal = await this.database.client.cardRemoval.findUnique({ where: { id } });
    if (!removal) return;
    const { provider, reference, customer, attempt } = removal;
    // `local` needs no configuration, so it is always available.
    const cardProvider = [this.provider, localProvider].find(({ name }) => name === provider);
    if (!cardProvider) {
      this.logger.warn({ message: 'Card not removed; its provider is no longer configured', provider, removal: id });
      return;
    }
    if (reference !== null) await cardProvider.removePaymentCard(reference);
    else if (customer !== null && attempt !== null) await cardProvider.removeAttempt(customer, attempt);
    await this.database.transaction(async (tx) => {
      await tx.cardRemoval.deleteMany({ where: { id } });
    });
  }
}
