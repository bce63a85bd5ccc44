import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';

const EVERY_MS = 3_600_000;
const KEEP_DAYS = 30;
/** Deleted in one statement, so that none takes long. */
const BATCH = 5_000;

/** Forgets old deliveries with their attempts; those that wait are younger than a day, or their webhook is slow by weeks. */
@Injectable()
export class ForgetDeliveries implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly repeater = new IntervalLoop('Deletion of old webhook deliveries', EVERY_MS, () => this.forget());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.repeater.start({ immediately: true });
  }

  private async forget(): Promise<void> {
    let gone: number;
    do {
      gone = await this.database.client.$executeRaw`
        DELETE FROM notifications.webhook_delivery WHERE id = ANY(ARRAY(
          SELECT id FROM notifications.webhook_delivery
          WHERE created_at < now() - ${KEEP_DAYS}::int * interval '1 day' LIMIT ${BATCH}))`;
    } while (gone === BATCH);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
