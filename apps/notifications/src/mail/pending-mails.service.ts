import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

const INTERVAL_MS = 60_000;
/** Pending mails that one iteration checks. */
const MAX_CHECKED_MAILS = 1_000;
/** Longer than all attempts of a job. */
const PENDING_DAYS = 2;
/** Much longer than any job can be repeated. */
const SENT_DAYS = 30;

/**
 * Enqueues mails again whose job was lost by Redis or a crashed process, and deletes mails that are pending for two days.
 * Also deletes the records of mails that were sent long ago.
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
    await deleteInBatches(client, 'notifications.pending_mail', isOlderThanDays('created_at', PENDING_DAYS));
    await deleteInBatches(client, 'notifications.sent_mail', isOlderThanDays('sent_at', SENT_DAYS));
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
