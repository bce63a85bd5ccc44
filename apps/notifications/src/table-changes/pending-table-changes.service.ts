import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { notifyTableChange } from '@millrace/contracts/notifications/table-changes';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

/** Longer than all attempts of a job. */
const PENDING_DAYS = 2;
const INTERVAL_MS = 60_000;
/** Pending changes that one iteration checks. */
const MAX_CHECKED = 1_000;

/** Enqueues changes again whose job was lost or has failed, and deletes changes that are pending for two days. */
@Injectable()
export class PendingTableChangesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Pending table change sweep', INTERVAL_MS, () => this.enqueueLost());

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
    await deleteInBatches(client, 'notifications.pending_table_change', isOlderThanDays('created_at', PENDING_DAYS));
    // Younger ones may still be on their way to the queue.
    const rows = await client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM notifications.pending_table_change WHERE created_at < now() - interval '1 minute'
      ORDER BY random() LIMIT ${MAX_CHECKED}`;
    const ids = rows.map(({ id }) => id);
    const unfinished = await this.queues.findUnfinished(notifyTableChange, ids);
    const lost = ids.filter((id) => !unfinished.has(id));
    if (lost.length === 0) return;
    await this.database.transaction(async (tx) => {
      for (const id of lost) tx.enqueue(notifyTableChange, { id }, { id });
    });
  }
}
