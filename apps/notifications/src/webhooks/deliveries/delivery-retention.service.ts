import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

const INTERVAL_MS = 3_600_000;
const RETENTION_DAYS = 30;
/** Rows per statement, so that none takes long. */
const BATCH_SIZE = 5_000;

/** Deletes old deliveries with their attempts. Pending ones are younger than a day unless their webhook is weeks behind. */
@Injectable()
export class DeliveryRetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of old webhook deliveries', INTERVAL_MS, () => this.deleteOld());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  private async deleteOld(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.database.client.$executeRaw`
        DELETE FROM notifications.webhook_delivery WHERE id = ANY(ARRAY(
          SELECT id FROM notifications.webhook_delivery
          WHERE created_at < now() - ${RETENTION_DAYS}::int * interval '1 day' LIMIT ${BATCH_SIZE}))`;
    } while (deleted === BATCH_SIZE);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
