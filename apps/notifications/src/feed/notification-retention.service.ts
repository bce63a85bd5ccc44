import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';

const EVERY_MS = 3_600_000;
/** Rows of one statement, so that none holds its locks for long. */
const BATCH = 5_000;

/** Deletes notifications that are older than they are kept, seen or not. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns = new IntervalLoop('Deletion of old notifications', EVERY_MS, () => this.deleteOld());

  constructor(
    private readonly database: Database,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start({ immediately: true });
  }

  onApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  private async deleteOld(): Promise<void> {
    const days = this.env.NOTIFICATION_RETENTION_DAYS;
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = await this.database.client.$executeRaw`
        DELETE FROM notifications.notification WHERE id = ANY(ARRAY(
          SELECT id FROM notifications.notification
          WHERE created_at < now() - ${days}::int * interval '1 day' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
    }
  }
}
