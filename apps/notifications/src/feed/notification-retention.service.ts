import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';

const INTERVAL_MS = 3_600_000;
/** Rows per statement, so that none holds its locks for long. */
const BATCH_SIZE = 5_000;

/** Deletes notifications that are older than NOTIFICATION_RETENTION_DAYS, seen or not. */
@Injectable()
export class NotificationRetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of old notifications', INTERVAL_MS, () => this.deleteOld());

  constructor(
    private readonly database: Database,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async deleteOld(): Promise<void> {
    const days = this.env.NOTIFICATION_RETENTION_DAYS;
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      deleted = await this.database.client.$executeRaw`
        DELETE FROM notifications.notification WHERE id = ANY(ARRAY(
          SELECT id FROM notifications.notification
          WHERE created_at < now() - ${days}::int * interval '1 day' LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
    }
  }
}
