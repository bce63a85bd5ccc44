import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';

const EVERY_MS = 60_000;
/** Of those that were looked at in one turn. */
const MOST = 1_000;

/**
 * Orders again what the queue has forgotten, because Redis lost it or processes died over it, and gives up what nobody
 * could be told for two days, which is longer than all tries of a job.
 */
@Injectable()
export class PendingMails implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns = new IntervalLoop('Pending mail sweep', EVERY_MS, () => this.orderAgain());

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start({ immediately: true });
  }

  onApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  private async orderAgain(): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`DELETE FROM notifications.pending_mail WHERE created_at < now() - interval '2 days'`;
    // Those that are younger may still be on their way to the queue. In any order, so that those it knows hide no others.
    const rows = await client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM notifications.pending_mail WHERE created_at < now() - interval '1 minute'
      ORDER BY random() LIMIT ${MOST}`;
    const ids = rows.map(({ id }) => id);
    const known = await this.queues.known(mailNotification, ids);
    const forgotten = ids.filter((id) => !known.has(id));
    if (forgotten.length === 0) return;
    await this.database.transaction(async (tx) => {
      for (const id of forgotten) tx.enqueue(mailNotification, { id }, { id });
    });
  }
}
