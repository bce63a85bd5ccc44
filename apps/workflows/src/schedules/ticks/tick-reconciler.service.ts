import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { startTick } from '@millrace/contracts/workflows/schedules';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { deleteInBatches, isOlderThanDays } from '@millrace/persistence/delete-in-batches';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { tickJobId } from './claim-ticks.js';

const RECONCILE_INTERVAL_MS = 5_000;
/** A tick that is pending for longer than this should have a job in the queue. */
const PENDING_TIMEOUT_MS = 10_000;
const MAX_TICKS_PER_PASS = 500;
const CLEANUP_INTERVAL_MS = 3_600_000;
const RETENTION_DAYS = 90;

/**
 * Enqueues pending ticks that have no job: Redis lost its data, or the job failed too often. Ticks whose job is still
 * in the outbox are not missing. Also deletes old ticks.
 */
@Injectable()
export class TickReconcilerService implements OnApplicationBootstrap, OnApplicationShutdown {
  // If Redis hangs, the lookup of jobs hangs too, and the next iteration waits for it.
  private readonly reconcileLoop = new IntervalLoop('Schedule tick recovery', RECONCILE_INTERVAL_MS, () =>
    this.requeueMissing(),
  );
  private readonly cleanupLoop = new IntervalLoop('Deletion of old schedule ticks', CLEANUP_INTERVAL_MS, () =>
    this.deleteExpired(),
  );

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.reconcileLoop.start();
    this.cleanupLoop.start({ immediately: true });
  }

  private async requeueMissing(): Promise<void> {
    const pending = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM workflows.schedule_tick t
      WHERE status = 'pending' AND created_at < now() - ${PENDING_TIMEOUT_MS}::int * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'workflows' AND o.relayed_at IS NULL
          AND o.options->>'id' = ${tickJobId('')} || t.id)
      ORDER BY created_at LIMIT ${MAX_TICKS_PER_PASS}`;
    if (pending.length === 0) return;
    const ids = pending.map(({ id }) => id);
    const queued = await this.queues.findUnfinished(startTick, ids.map(tickJobId));
    const missing = ids.filter((id) => !queued.has(tickJobId(id)));
    if (missing.length === 0) return;
    await this.database.transaction((tx) => {
      for (const tick of missing) tx.enqueue(startTick, { tick }, { id: tickJobId(tick) });
      return Promise.resolve();
    });
  }

  private async deleteExpired(): Promise<void> {
    await deleteInBatches(
      this.database.client,
      'workflows.schedule_tick',
      isOlderThanDays('created_at', RETENTION_DAYS),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reconcileLoop.stop(), this.cleanupLoop.stop()]);
  }
}
