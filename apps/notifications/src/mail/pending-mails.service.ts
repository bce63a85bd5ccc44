import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

const INTERVAL_MS = 60_000;
/** Pending mails that one iteration checks. */
const MAX_CHECKED_MAILS = 1_000;

/**
 * Enqueues mails again whose job was lost by Redis or a crashed process, and deletes mails that are pending for two days,
 * which is longer than all attempts of a job.
 */
@Injectable()
export class PendingMailsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Pending mail sweep', INTERVAL_MS, () => this.enqueueLost());

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async enqueueLost(): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`DELETE FROM notifications.pending_mail WHERE created_at < now() - interval '2 days'`;
    // Younger mails may still be on their way to the queue. The order is random, so that unfinished jobs do not hide lost ones.
    const rows = await client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM notifications.pending_mail WHERE created_at < now() - interval '1 minute'
      ORDER BY random() LIMIT ${MAX_CHECKED_MAILS}`;
    const ids = rows.map(({ id }) => id);
    const unfinished = await this.queues.findUnfinished(mailNotification, ids);
    const lost = ids.filter((id) => !unfinished.has(id));
    if (lost.length === 0) return;
    await this.database.transaction(async (tx) => {
      for (const id of lost) tx.enqueue(mailNotification, { id }, { id });
    });
  }
}
